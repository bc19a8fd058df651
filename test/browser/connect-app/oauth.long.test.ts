import { eventually } from '../../support/assertions/eventually.js';
import {
  bankSession,
  goToBank,
  handBack,
  RETURN,
  START,
  STATE_HASH,
  STATE_ID,
} from './support/bank-popup.js';
import { failure, ok, ScriptedSession } from './support/scripted-session.js';
import { describeInBrowser } from './support/stage.js';
import { CONSENT, OAUTH_BANK, REDIRECT, WAIT } from './support/views.js';

describeInBrowser('Connect at an OAuth bank', (stage) => {
  it('acknowledges the return page as soon as the address matches the redirect attempt', async () => {
    const session = bankSession(stage);
    session.on(RETURN, () => new Promise(() => undefined));
    const opened = await stage.open(session);
    const bank = await goToBank(opened);
    await bank.goto(`${stage.app.origin}/bank-return?oauth_state_id=${STATE_ID}`);
    const heard = bank.waitForEvent('console');
    await bank.evaluate(() => {
      window.addEventListener('message', ({ data }) => console.log(JSON.stringify(data)));
    });
    await handBack(bank, stage.connect.origin);
    expect(JSON.parse((await heard).text())).toEqual({
      ns: 'connect',
      v: 1,
      channel: '',
      type: 'resume_ack',
      payload: { oauth_state_id: STATE_ID },
    });
  });

  it('accepts a return that the SDK forwards once, and acknowledges every copy', async () => {
    const session = bankSession(stage);
    const opened = await stage.open(session);
    await goToBank(opened);
    const url = `${stage.app.origin}/bank-return?oauth_state_id=${STATE_ID}`;
    const say = (): Promise<void> =>
      opened.page.evaluate((address) => {
        (window as unknown as { port: MessagePort }).port.postMessage({
          ns: 'connect',
          v: 1,
          channel: '',
          type: 'resume',
          payload: { url: address },
        });
      }, url);
    await say();
    await say();
    await eventually(async () =>
      expect((await opened.heard('resume_ack')).map(({ payload }) => payload)).toEqual([
        { oauth_state_id: STATE_ID },
        { oauth_state_id: STATE_ID },
      ]),
    );
    await opened.frame.getByRole('heading', { name: 'What Pocket Ledger will see' }).waitFor();
    expect(session.callsTo(RETURN)).toHaveLength(1);
  });

  it('continues by itself when another window completes the login', async () => {
    const session = bankSession(stage);
    const opened = await stage.open(session);
    const bank = await goToBank(opened);
    await eventually(() => expect(session.callsTo('GET /session').length).toBeGreaterThan(0));
    session.show({
      kind: 'error',
      error_id: 'connect_error.oauth_denied',
      displayed_message: '',
      fault: 'user',
      link_error: 'user_error',
      actions: ['retry', 'exit'],
      institution_url: null,
    });
    await opened.frame
      .getByRole('heading', { name: 'Access was declined at OAuth Bank' })
      .waitFor();
    await eventually(() => expect(bank.isClosed()).toBe(true));
  });

  it('keeps the popup while the service waits for the bank, and retries with the same request id', async () => {
    const session = bankSession(stage);
    const response = () =>
      ok({
        authorize_url: `${stage.app.origin}/bank`,
        state_hash: STATE_HASH,
        expires_at: session.view.expires_at,
        view: session.view,
      });
    session.on(START, () => failure(409, 'connect_error.stale_step', { view: session.show(WAIT) }));
    const opened = await stage.open(session);
    const popup = opened.page.context().waitForEvent('page');
    await opened.frame.getByRole('button', { name: 'Continue to OAuth Bank' }).click();
    const bank = await popup;
    await opened.frame.getByRole('button', { name: 'Cancel' }).waitFor();
    session.on(START, response);
    session.show({ kind: 'redirect', started: true });
    await bank.waitForURL('**/bank');
    await opened.frame.getByRole('heading', { name: 'Finish in your bank’s window' }).waitFor();
    expect(new Set(session.callsTo(START).map(({ body }) => JSON.stringify(body))).size).toBe(1);
    await eventually(async () => expect(await opened.events('open_oauth')).toHaveLength(1));
  });

  it('keeps the popup when the authorization address arrives before its step', async () => {
    const session = bankSession(stage);
    session.on(START, () =>
      ok({
        authorize_url: `${stage.app.origin}/bank`,
        state_hash: STATE_HASH,
        expires_at: session.view.expires_at,
        view: session.show(WAIT),
      }),
    );
    const opened = await stage.open(session);
    await goToBank(opened);
    session.show({ kind: 'redirect', started: true });
    await opened.frame.getByRole('heading', { name: 'Finish in your bank’s window' }).waitFor();
    expect(session.callsTo(START)).toHaveLength(1);
  });

  it('closes the popup when the user cancels the wait for the bank', async () => {
    const session = bankSession(stage);
    session.on(START, () =>
      failure(409, 'connect_error.step_in_progress', { view: session.show(WAIT) }),
    );
    session.then(() => REDIRECT);
    const opened = await stage.open(session);
    const popup = opened.page.context().waitForEvent('page');
    await opened.frame.getByRole('button', { name: 'Continue to OAuth Bank' }).click();
    const bank = await popup;
    await opened.frame.getByRole('button', { name: 'Cancel' }).click();
    await opened.frame.getByRole('heading', { name: 'You’ll sign in at OAuth Bank' }).waitFor();
    await eventually(() => expect(bank.isClosed()).toBe(true));
    expect(session.callsTo(START)).toHaveLength(1);
  });

  it('closes the popup when another answer is in progress, or when the user leaves', async () => {
    const busy = bankSession(stage);
    busy.on(START, () => failure(409, 'connect_error.step_in_progress', { view: busy.view }));
    const endless = bankSession(stage);
    endless.on(START, () => new Promise(() => undefined));
    for (const [session, leaves] of [
      [busy, false],
      [endless, true],
    ] as const) {
      const opened = await stage.open(session);
      const popup = opened.page.context().waitForEvent('page');
      await opened.frame.getByRole('button', { name: 'Continue to OAuth Bank' }).click();
      const bank = await popup;
      if (leaves) await opened.frame.getByRole('button', { name: 'Close' }).click();
      await eventually(() => expect(bank.isClosed()).toBe(true));
      expect(session.callsTo(START)).toHaveLength(1);
    }
  });

  it('announces that the bank opens in place of the page, and requests it, when the app wants it so', async () => {
    const session = bankSession(stage);
    const { frame, heard } = await stage.open(session, { options: { oauth_window: 'same' } });
    await frame.getByText('OAuth Bank opens in place of this page.').waitFor();
    await frame.getByRole('button', { name: 'Continue to OAuth Bank' }).click();
    await eventually(async () =>
      expect((await heard('oauth_open')).map(({ payload }) => payload['window'])).toEqual(['same']),
    );
  });

  it('keeps the step and shows a message when the redirect attempt was already used', async () => {
    const session = bankSession(stage);
    session.on(RETURN, () => failure(422, 'connect_error.oauth_state_invalid'));
    const opened = await stage.open(session);
    await goToBank(opened);
    await opened.say('oauth_result', {
      url: `${stage.app.origin}/bank-return?oauth_state_id=${STATE_ID}`,
    });
    await opened.frame.getByText('This link has expired. Open the bank again.').first().waitFor();
    await eventually(async () =>
      expect((await opened.heard('error'))[0]?.payload).toMatchObject({
        error_id: 'connect_error.oauth_state_invalid',
      }),
    );
  });

  it('resumes a session in another window without its token', async () => {
    const session = new ScriptedSession(CONSENT, { institution: OAUTH_BANK });
    const url = `${stage.app.origin}/bank-return?oauth_state_id=${STATE_ID}`;
    const opened = await stage.open(session, {
      entry: 'continue',
      init: { link_session_token: undefined, continue_url: url },
    });
    await opened.frame.getByRole('heading', { name: 'What Pocket Ledger will see' }).waitFor();
    expect(session.callsTo('POST /session/resume')[0]?.body).toMatchObject({
      url,
      origin: stage.app.origin,
    });
    expect(session.callsTo('POST /session/resume')[0]?.body).not.toHaveProperty(
      'link_session_token',
    );
    expect(session.calls.some(({ path }) => path === '/session/open')).toBe(false);
  });
});
