import { createHash } from 'node:crypto';
import { CallFailure } from '../../../apps/connect/src/session/call-failure.js';
import type { StepContent } from '../../../packages/connect-protocol/src/step.js';
import type { View } from '../../../packages/connect-protocol/src/view.js';
import { PlayedFlow } from './support/played-flow.js';
import { pass, settled, useStandInPage } from './support/stand-in-page.js';
import { ACCOUNTS, makeView, REDIRECT, WAIT } from './support/views.js';

const page = useStandInPage();

const AUTHORIZE = 'https://bank.example/authorize';
const RETURN_PAGE = 'https://return.example/bank-return';
const STATE = '0b8f4c7e-5a0d-4f0e-9d53-6f4f9d1c2a77';
const RETURN = `${RETURN_PAGE}?oauth_state_id=${STATE}`;
const FOREIGN = `${RETURN_PAGE}?oauth_state_id=7f3c2e1d-6b5a-4c4d-8e9f-0a1b2c3d4e5f`;
const NOTICE = { app: 'Pocket Ledger', bank: 'OAuth Bank', text: 'Opening', isToLeft: false };
const STARTED: StepContent = { kind: 'redirect', started: true };
const at = (seq: number, content: StepContent): View =>
  makeView(seq, content, { redirect_uri: RETURN_PAGE });
const started = {
  authorize_url: AUTHORIZE,
  state_hash: createHash('sha256').update(STATE).digest('base64url'),
  view: at(1, STARTED),
};

/** A flow whose user sees the button that leads to the bank. */
async function atRedirect(options: Parameters<typeof PlayedFlow.at>[1] = {}) {
  const played = await PlayedFlow.at(at(1, REDIRECT), options);
  const login = played.loginAtBank();
  return { played, login, service: played.service };
}

/** The same, once the user is at the bank. */
async function atBank(options: Parameters<typeof PlayedFlow.at>[1] = {}) {
  const begun = await atRedirect(options);
  begun.login.start(NOTICE);
  await begun.service.answer('startOAuth', started);
  return begun;
}

/** Tries until it holds: the hash of a state is made outside of the test's time. */
async function until(holds: () => void): Promise<void> {
  for (;;)
    try {
      return holds();
    } catch {
      await settled();
    }
}

describe('The way to the bank', () => {
  it('leads through a window that opens with the click, and goes on when the service has the address', async () => {
    const { played, login, service } = await atRedirect();
    login.start(NOTICE);
    const [opened] = page().windows;
    expect(opened?.shown).toEqual([]);
    expect(played.state).toMatchObject({ sending: true, sent: 'oauth_start' });
    expect(service.callsTo('startOAuth')).toEqual([
      [1, expect.stringMatching(/^[\da-f-]{36}$/), 'popup'],
    ]);
    await service.answer('startOAuth', started);
    expect(opened?.shown).toEqual([AUTHORIZE]);
    expect(opened?.isClosed).toBe(false);
    expect(played.state).toMatchObject({ sending: false, view: { step: { started: true } } });
    expect(played.events('open_oauth')).toEqual([{ window: 'popup' }]);
    expect(played.messages('oauth_open')).toEqual([]);
    expect(page().visited).toEqual([]);
  });

  it.each([
    ['blocks the window', { kind: 'frame' }, true, 'same'],
    ['is in a WebView', { kind: 'webview' }, false, 'system'],
    ['wants no window', { kind: 'frame', init: { oauthWindow: 'same' } }, false, 'same'],
  ] as const)('leads through the SDK where the browser %s', async (_, options, isBlocked, kind) => {
    page().isPopupBlocked = isBlocked;
    const { played, service } = await atBank(options);
    expect(service.callsTo('startOAuth')[0]?.[2]).toBe(kind);
    expect(page().opened).toHaveLength(isBlocked ? 1 : 0);
    expect(played.messages('oauth_open')).toEqual([
      {
        authorize_url: AUTHORIZE,
        redirect_uri: RETURN_PAGE,
        window: kind,
        state_hash: started.state_hash,
      },
    ]);
    expect(played.events('open_oauth')).toEqual([{ window: kind }]);
    expect(page().visited).toEqual([]);
  });

  it('replaces the hosted page where the browser blocks the window', async () => {
    page().isPopupBlocked = true;
    const { played } = await atBank({ kind: 'page' });
    expect(page().visited).toEqual([AUTHORIZE]);
    expect(played.messages('oauth_open')).toEqual([]);
  });

  it('begins only at its button, and once', async () => {
    const other = await PlayedFlow.at(at(1, ACCOUNTS));
    other.loginAtBank().start(NOTICE);
    const early = await PlayedFlow.create();
    early.loginAtBank().start(NOTICE);
    expect(page().windows).toEqual([]);
    const { login, service } = await atRedirect();
    login.start(NOTICE);
    login.start(NOTICE);
    expect(page().windows).toHaveLength(1);
    expect(service.callsTo('startOAuth')).toHaveLength(1);
    for (const { service: unused } of [other, early])
      expect(unused.callsTo('startOAuth')).toEqual([]);
  });

  it('begins again in a new window, which replaces the first one', async () => {
    const { login, service } = await atBank();
    login.start(NOTICE);
    expect(page().windows.map(({ isClosed }) => isClosed)).toEqual([true, false]);
    await service.answer('startOAuth', { ...started, authorize_url: `${AUTHORIZE}?2` });
    expect(page().windows[1]?.shown).toEqual([`${AUTHORIZE}?2`]);
    const ids = service.callsTo('startOAuth').map(([, requestId]) => requestId);
    expect(new Set(ids).size).toBe(2);
  });

  it('never leads to an address that is not of the web', async () => {
    const failed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const { played, login, service } = await atRedirect();
    login.start(NOTICE);
    await service.answer('startOAuth', { ...started, authorize_url: 'javascript:alert(1)' });
    expect(page().windows[0]).toMatchObject({ shown: [], isClosed: true });
    expect(played.state.phase).toBe('problem');
    expect(failed).toHaveBeenCalledTimes(1);
  });

  it('ends when the service refuses it, with its window', async () => {
    const { played, login, service } = await atRedirect();
    login.start(NOTICE);
    await service.refuse('startOAuth', new CallFailure('connect_error.unavailable', 503, 'req_1'));
    expect(page().windows[0]?.isClosed).toBe(true);
    expect(played.state.problem?.error.error_id).toBe('connect_error.unavailable');
  });
});

describe('A bank that is slower than a call may take', () => {
  const wait = () =>
    new CallFailure('connect_error.step_in_progress', 409, null, at(1, { ...WAIT }));
  const slow = async () => {
    const begun = await atRedirect();
    begun.login.start(NOTICE);
    await begun.service.refuse('startOAuth', wait());
    return begun;
  };

  it('keeps its window, which the user reaches by the same request once the bank is ready', async () => {
    const { played, service } = await slow();
    expect(page().windows[0]?.isClosed).toBe(false);
    expect(played.state.view?.step.kind).toBe('wait');
    await service.answer('follow', at(2, STARTED));
    const [first, second] = service.callsTo('startOAuth');
    expect(second?.[1]).toBe(first?.[1]);
    await service.answer('startOAuth', { ...started, view: at(2, STARTED) });
    expect(page().windows).toHaveLength(1);
    expect(page().windows[0]).toMatchObject({ shown: [AUTHORIZE], isClosed: false });
    expect(service.callsTo('startOAuth')).toHaveLength(2);
  });

  it('loses its window when the service continues with something else, and starts no later redirect', async () => {
    const { played, service } = await slow();
    await service.answer('follow', at(2, ACCOUNTS));
    expect(page().windows[0]?.isClosed).toBe(true);
    played.flow.store.dispatch({ type: 'answered', view: at(3, STARTED) });
    expect(service.callsTo('startOAuth')).toHaveLength(1);
  });

  it('loses its window when the repeated start fails', async () => {
    const { service } = await slow();
    await service.answer('follow', at(2, STARTED));
    await service.refuse('startOAuth', new CallFailure('connect_error.unavailable', 503, null));
    expect(page().windows[0]?.isClosed).toBe(true);
  });

  it('has no window for another wait than its own', async () => {
    const { service } = await atBank();
    await service.answer('follow', at(2, WAIT));
    expect(page().windows[0]?.isClosed).toBe(true);
  });
});

describe('The cancellation of a login at the bank', () => {
  it('closes the window and notifies the service, once', async () => {
    const { played, login, service } = await atBank();
    login.cancel();
    login.cancel();
    expect(page().windows[0]?.isClosed).toBe(true);
    expect(service.callsTo('answer')).toEqual([[1, { kind: 'redirect', cancel: true }]]);
    expect(played.state).toMatchObject({ sending: true, sent: 'redirect' });
    expect(played.events('cancel_oauth')).toEqual([{ window: 'popup' }]);
    await service.answer('answer', at(2, REDIRECT));
    expect(played.state).toMatchObject({ sending: false, view: { seq: 2 } });
    expect(await login.takeReturn(RETURN)).toBeNull();
  });

  it('reports that the service refuses it', async () => {
    const { played, login, service } = await atBank();
    login.cancel();
    await service.refuse('answer', new CallFailure('connect_error.unavailable', 503, null));
    expect(played.state.problem?.error.error_id).toBe('connect_error.unavailable');
  });

  it('does nothing before the user is at the bank', async () => {
    const { played, login, service } = await atRedirect();
    login.cancel();
    expect(service.callsTo('answer')).toEqual([]);
    expect(played.state.sending).toBe(false);
  });

  it('waits for the start in progress, and sends no one to the bank', async () => {
    const { played, login, service } = await atBank();
    login.start(NOTICE);
    login.cancel();
    expect(page().windows.map(({ isClosed }) => isClosed)).toEqual([true, true]);
    expect(service.callsTo('answer')).toEqual([]);
    await service.answer('startOAuth', started);
    expect(page().windows[1]?.shown).toEqual([]);
    expect(service.callsTo('answer')).toEqual([[1, { kind: 'redirect', cancel: true }]]);
    expect(played.events('open_oauth')).toHaveLength(1);
    expect(played.events('cancel_oauth')).toHaveLength(1);
  });

  it('is forgotten when the service continues with another step', async () => {
    const { played, login, service } = await atBank();
    login.start(NOTICE);
    login.cancel();
    await service.answer('startOAuth', { ...started, view: at(2, ACCOUNTS) });
    expect(service.callsTo('answer')).toEqual([]);
    await service.answer('follow', at(2, ACCOUNTS));
    played.flow.store.dispatch({ type: 'answered', view: at(3, STARTED) });
    expect(service.callsTo('answer')).toEqual([]);
  });

  it('survives a wait of the service', async () => {
    const { login, service } = await atBank();
    login.start(NOTICE);
    login.cancel();
    await service.refuse(
      'startOAuth',
      new CallFailure('connect_error.step_in_progress', 409, null, at(2, WAIT)),
    );
    expect(service.callsTo('answer')).toEqual([]);
    await service.answer('follow', at(2, STARTED));
    await service.answer('follow', at(3, STARTED));
    expect(service.callsTo('answer')).toHaveLength(1);
    expect(service.callsTo('startOAuth')).toHaveLength(2);
  });
});

describe('The return from the bank', () => {
  it('is acknowledged at once, is sent to the service once, and shows its result after it could be seen', async () => {
    const { played, login, service } = await atBank();
    expect(await login.takeReturn(RETURN)).toBe(STATE);
    expect(await login.takeReturn(RETURN)).toBe(STATE);
    expect(service.callsTo('returnOAuth')).toEqual([[RETURN]]);
    expect(played.events('return_oauth')).toEqual([{ window: 'popup' }]);
    expect(played.state).toMatchObject({ sending: true, sent: 'oauth_return' });
    await service.answer('returnOAuth', at(2, ACCOUNTS));
    await pass(699);
    expect(page().windows[0]?.isClosed).toBe(false);
    expect(played.state.view?.seq).toBe(1);
    await pass(1);
    expect(played.state).toMatchObject({ sending: false, view: { seq: 2 } });
    expect(page().windows[0]?.isClosed).toBe(true);
  });

  it('of another redirect attempt, without a state, and before the start is not accepted', async () => {
    const before = await atRedirect();
    expect(await before.login.takeReturn(RETURN)).toBeNull();
    const { login, service } = await atBank();
    for (const url of [FOREIGN, RETURN_PAGE, 'not an address'])
      expect(await login.takeReturn(url)).toBeNull();
    expect(service.callsTo('returnOAuth')).toEqual([]);
  });

  it('reports that the service refuses it', async () => {
    const { played, login, service } = await atBank();
    await login.takeReturn(RETURN);
    await service.refuse(
      'returnOAuth',
      new CallFailure('connect_error.oauth_state_invalid', 400, null),
    );
    expect(played.state.refusal).toBe('redirect_invalid');
  });

  it('is accepted from the window of the bank at the address of the return, and acknowledged there', async () => {
    const { service } = await atBank();
    const [opened] = page().windows;
    const resume = {
      ns: 'connect',
      v: 1,
      channel: '',
      type: 'resume',
      payload: { url: RETURN },
    };
    page().receive({ postMessage: () => undefined }, 'https://return.example', resume);
    page().receive(opened, 'https://evil.example', resume);
    await settled();
    expect(service.callsTo('returnOAuth')).toEqual([]);
    page().receive(opened, 'https://return.example', resume);
    await until(() => expect(opened?.received).toHaveLength(1));
    expect(opened?.received[0]).toMatchObject({
      message: { type: 'resume_ack', payload: { oauth_state_id: STATE } },
      targetOrigin: 'https://return.example',
    });
    expect(service.callsTo('returnOAuth')).toEqual([[RETURN]]);
  });

  it('from a window is not accepted in a session that names no address of a return', async () => {
    const played = await PlayedFlow.at(makeView(1, REDIRECT));
    played.loginAtBank().start(NOTICE);
    await played.service.answer('startOAuth', { ...started, view: makeView(1, STARTED) });
    const [opened] = page().windows;
    const resume = {
      ns: 'connect',
      v: 1,
      channel: '',
      type: 'resume',
      payload: { url: RETURN },
    };
    page().receive(opened, 'null', resume);
    await settled();
    expect(played.service.callsTo('returnOAuth')).toEqual([]);
  });

  it('that the SDK forwards is acknowledged to it when it is meant for this window', async () => {
    const { played } = await atBank();
    played.sdk.onOAuthResult({ url: FOREIGN });
    played.sdk.onOAuthResult({ url: RETURN });
    await until(() => expect(played.messages('resume_ack')).toHaveLength(1));
    expect(played.messages('resume_ack')).toEqual([{ oauth_state_id: STATE }]);
  });

  it('that the SDK reports as canceled cancels the login', async () => {
    const { played, service } = await atBank({ kind: 'webview' });
    played.sdk.onOAuthResult({ cancelled: true });
    expect(service.callsTo('answer')).toEqual([[1, { kind: 'redirect', cancel: true }]]);
    expect(played.events('cancel_oauth')).toEqual([{ window: 'system' }]);
  });
});

describe('The window of the bank', () => {
  it.each<[string, (played: PlayedFlow) => Promise<void>]>([
    [
      'another window completes the login',
      (played) => played.service.answer('follow', at(2, ACCOUNTS)),
    ],
    ['the user leaves', async (played) => played.flow.confirmLeave()],
    [
      'Connect has a problem',
      async (played) => played.flow.fail(new CallFailure('connect_error.internal', 500, null)),
    ],
  ])('closes when %s', async (_, happen) => {
    const { played } = await atBank();
    expect(page().windows[0]?.isClosed).toBe(false);
    await happen(played);
    expect(page().windows[0]?.isClosed).toBe(true);
  });
});
