import { createHash, randomUUID } from 'node:crypto';
import { eventually } from '../../support/assertions/eventually.js';
import { ConnectVisit, expectStatus } from '../../support/actors/link-journey.js';
import type { View } from '../../support/actors/response-bodies.js';
import {
  answerQuestions,
  arriveAtApp,
  submitReturn,
  submitReturnCall,
  callBack,
  chooseOAuthBank,
  decideAtBank,
  goThroughOAuthBank,
  OAUTH_BANK,
  REDIRECT_URI,
  startRedirect,
  startCall,
  type OAuthVisit,
} from '../../support/actors/oauth-journey.js';
import {
  app,
  gate,
  service,
  startServiceBehindGate,
  truth,
} from '../../support/fixtures/service-behind-gate.js';

const ALL = ['Everyday Checking', 'Rainy Day Savings', 'Rewards Card'];
const RETRY = { kind: 'error', action: 'retry' };
const CANCEL = { kind: 'redirect', cancel: true };
const stateInvalid = { status: 422, body: { error_code: 'connect_error.oauth_state_invalid' } };
const moved = { status: 409, body: { error_code: 'connect_error.session_moved' } };

startServiceBehindGate({ CONNECT_SOFT_REPLY: '4s' });

const linkOf = ({ visit }: OAuthVisit) => truth.linkOfSession(visit.view.session_id);

/** A user who approved at the bank and has returned to the app's page. */
async function backAtApp(
  fields: Record<string, unknown> = {},
): Promise<OAuthVisit & { address: string; callbackAddress: string }> {
  const opened = await chooseOAuthBank(app, fields);
  const callbackAddress = await decideAtBank((await startRedirect(opened.visit)).authorize_url);
  return { ...opened, callbackAddress, address: await arriveAtApp(callbackAddress) };
}

async function exchange(visit: ConnectVisit): Promise<string> {
  const { exchangeable_token: token } = await visit.finish();
  return (await expectStatus(201, app.exchange(token))).link_id;
}

describe('A link at OAuth Bank (link-lifecycle 15, checks 1 and 2)', () => {
  it('starts with oauth/start, is created on the return, and has the accounts the user selected', async () => {
    const opened = await chooseOAuthBank(app);
    const { visit } = opened;
    expect(visit.view).toMatchObject({
      institution: { institution_id: OAUTH_BANK, login: 'oauth' },
      step: { kind: 'redirect', started: false, can_go_back: true },
    });
    expect(await linkOf(opened)).toBeNull();

    const started = await startRedirect(visit);
    expect(started.view).toMatchObject({
      seq: 3,
      step: { kind: 'redirect', started: true, expires_at: started.expires_at },
    });
    expect(Date.parse(`${started.expires_at}Z`) - Date.now()).toBeGreaterThan(14 * 60_000);
    expect(new URL(started.authorize_url).origin).toBe(service.info.sandbox_bank_url);
    expect(await linkOf(opened)).toMatchObject({ state: 'connecting' });

    const callbackAddress = await decideAtBank(started.authorize_url, {
      accounts: ['Rainy Day Savings'],
    });
    expect(callbackAddress.split('?')[0]).toBe(`${app.baseUrl}/connect/oauth/callback`);
    const address = await arriveAtApp(callbackAddress);
    expect(address.split('=')[0]).toBe(`${REDIRECT_URI}?oauth_state_id`);
    expect(
      createHash('sha256')
        .update(address.split('=')[1] ?? '')
        .digest('base64url'),
    ).toBe(started.state_hash);
    // connect 7, step 6: the code is exchanged only now.
    expect(await visit.poll()).toMatchObject({ seq: 3, step: { kind: 'redirect', started: true } });
    expect(await linkOf(opened)).toMatchObject({ state: 'connecting' });

    expect(await submitReturn(visit, address)).toMatchObject({ step: { kind: 'success' } });
    const result = await visit.finish();
    expect(result).toMatchObject({
      mode: 'link',
      institution: { institution_id: OAUTH_BANK },
      accounts: [
        { name: 'Rainy Day Savings', account_type: 'depository.savings', account_mask: '2202' },
      ],
    });
    const { link_id: linkId } = await expectStatus(201, app.exchange(result.exchangeable_token));
    await app.untilRefreshed(linkId, 'transactions');
    expect((await truth.story(linkId)).slice(0, 3)).toEqual([
      'state connecting',
      'state awaiting_token_exchange',
      'state connected',
    ]);
  });

  it('needs no search when the session names OAuth Bank', async () => {
    const opened = await chooseOAuthBank(app, { institution_id: OAUTH_BANK });
    expect(opened.visit.view).toMatchObject({
      seq: 1,
      step: { kind: 'redirect', started: false, can_go_back: false },
    });
    expect(await linkOf(opened)).toBeNull();
    expect(await goThroughOAuthBank(opened.visit)).toMatchObject({ step: { kind: 'success' } });
  });

  it('is not offered when there is no return address', async () => {
    const visit = await ConnectVisit.open(
      app.baseUrl,
      (await app.createSession()).link_session_token,
    );
    const found = async (one: ConnectVisit) =>
      (
        await one.call<{ institutions: { institution_id: string }[] }>(
          'GET',
          '/institutions?q=oauth',
        )
      ).body.institutions.map(({ institution_id: id }) => id);
    expect(await found(visit)).toEqual([]);
    expect(
      (await visit.submit({ kind: 'select_institution', institution_id: OAUTH_BANK })).status,
    ).toBe(404);
    expect(
      await found(
        await ConnectVisit.open(
          app.baseUrl,
          (await app.createSession({ redirect_uri: REDIRECT_URI })).link_session_token,
        ),
      ),
    ).toEqual([OAUTH_BANK]);
  });

  it('can be retried after the user denied access', async () => {
    const opened = await chooseOAuthBank(app);
    const denied = await goThroughOAuthBank(opened.visit, { decision: 'deny' });
    expect(denied.step).toMatchObject({
      kind: 'error',
      error_id: 'connect_error.oauth_denied',
      fault: 'user',
      link_error: 'user_error',
      actions: ['retry', 'choose_another', 'exit'],
    });
    expect(await linkOf(opened)).toMatchObject({ state: 'error', error_code: 'user_error' });
    expect(await opened.visit.answer(RETRY)).toMatchObject({
      step: { kind: 'redirect', started: false },
    });
    expect(await linkOf(opened)).toMatchObject({ state: 'error' });
    expect(await goThroughOAuthBank(opened.visit)).toMatchObject({ step: { kind: 'success' } });
    expect(await truth.story((await linkOf(opened))?.link_id ?? '')).toEqual([
      'state connecting',
      'state error/user_error',
      'state connecting',
      'state awaiting_token_exchange',
    ]);
  });
});

describe('A user of OAuth Bank (link-lifecycle 13.3)', () => {
  it.each(['slow_2', 'auth_expires', 'user_dynamic', 'error_auth_expired'])(
    'links as %s',
    async (userName) => {
      const { visit } = await chooseOAuthBank(app);
      expect((await goThroughOAuthBank(visit, { userName })).step.kind).toBe('success');
      const { accounts } = await visit.finish();
      expect(accounts.map(({ name }) => name)).toEqual(ALL);
    },
  );

  it.each([
    ['no_accounts', 'connect_error.no_accounts', 'institution_error'],
    ['error_system_error', 'connect_error.internal', 'system_error'],
    ['error_provider_error', 'connect_error.provider_down', 'provider_error'],
    ['error_institution_error', 'connect_error.institution_down', 'institution_error'],
    ['error_user_error', 'connect_error.user_action_required', 'user_error'],
    ['error_incomplete', 'connect_error.incomplete', 'incomplete'],
  ])('ends as %s with the error %s', async (userName, errorId, linkError) => {
    const opened = await chooseOAuthBank(app);
    expect((await goThroughOAuthBank(opened.visit, { userName })).step).toMatchObject({
      kind: 'error',
      error_id: errorId,
      link_error: linkError,
    });
    expect(await linkOf(opened)).toMatchObject({ state: 'error', error_code: linkError });
  });
});

describe('POST /connect/api/session/oauth/start', () => {
  it('starts one redirect attempt when it is sent three times at once and again later', async () => {
    const { visit } = await chooseOAuthBank(app);
    const [seq, requestId] = [visit.view.seq, randomUUID()];
    const responses = await Promise.all([1, 2, 3].map(() => startCall(visit, { seq, requestId })));
    for (const { status, body } of responses)
      expect({ status, body }).toEqual({ status: 200, body: responses[0]?.body });
    expect((await startCall(visit, { seq, requestId })).body).toEqual(responses[0]?.body);
    const [row] = await truth.rows<{ count: string }>(
      'SELECT count(*) FROM oauth_states WHERE session_id = $1',
      [visit.view.session_id],
    );
    expect(row?.count).toBe('1');
  });

  it('starts a second redirect attempt, and the first one stays valid', async () => {
    const { visit } = await chooseOAuthBank(app);
    const [first, second] = [await startRedirect(visit), await startRedirect(visit)];
    expect(second.view.seq).toBe(first.view.seq + 1);
    expect(second.state_hash).not.toBe(first.state_hash);
    expect(
      await submitReturn(visit, await arriveAtApp(await decideAtBank(first.authorize_url))),
    ).toMatchObject({ step: { kind: 'success' } });
    expect((await callBack(await decideAtBank(second.authorize_url))).status).toBe(400);
  });

  it('shows an error while the bank is down, and succeeds on the next attempt', async () => {
    const opened = await chooseOAuthBank(app);
    gate.set('cut');
    expect(await startCall(opened.visit)).toMatchObject({
      status: 409,
      body: {
        error_code: 'connect_error.stale_step',
        view: { step: { kind: 'error', error_id: 'connect_error.institution_down' } },
      },
    });
    expect(await linkOf(opened)).toMatchObject({ state: 'error', error_code: 'institution_error' });
    gate.set('open');
    await opened.visit.poll();
    await opened.visit.answer(RETRY);
    expect(await goThroughOAuthBank(opened.visit)).toMatchObject({ step: { kind: 'success' } });
  });

  it('shows a wait for a slow bank, and later returns the result to the same request', async () => {
    const { visit } = await chooseOAuthBank(app);
    gate.set('hang');
    const [seq, requestId] = [visit.view.seq, randomUUID()];
    const asked = Date.now();
    expect(await startCall(visit, { seq, requestId })).toMatchObject({
      status: 409,
      body: { view: { step: { kind: 'wait', can_cancel: true } } },
    });
    expect(Date.now() - asked).toBeLessThan(15_000);
    await visit.poll();
    const canceled = await visit.answer({ kind: 'wait', cancel: true });
    expect(canceled).toMatchObject({ step: { kind: 'redirect', started: false } });
    gate.set('cut');
    gate.set('open');
    expect(await goThroughOAuthBank(visit)).toMatchObject({ step: { kind: 'success' } });
  });
});

describe('A canceled redirect attempt', () => {
  it('is replaced by a new one on request, and is refused from then on', async () => {
    const { visit } = await chooseOAuthBank(app);
    const { authorize_url: authorizeUrl } = await startRedirect(visit);
    expect(await visit.answer(CANCEL)).toMatchObject({
      step: { kind: 'redirect', started: false, expires_at: null },
    });
    expect((await callBack(await decideAtBank(authorizeUrl))).status).toBe(400);
    expect(await goThroughOAuthBank(visit)).toMatchObject({ step: { kind: 'success' } });
  });

  it('results from back, from exit and from the choice of another bank', async () => {
    for (const leave of [
      (visit: ConnectVisit) => visit.answer({ kind: 'back' }),
      (visit: ConnectVisit) => visit.exit(),
    ]) {
      const { visit } = await chooseOAuthBank(app);
      const { authorize_url: authorizeUrl } = await startRedirect(visit);
      await leave(visit);
      expect((await callBack(await decideAtBank(authorizeUrl))).status).toBe(400);
      expect((await visit.poll()).step.kind).toBe('select_institution');
      expect((await visit.select()).step.kind).toBe('success');
    }
  });
});

describe('An OAuth return that is forged, replayed or late', () => {
  it('shows a plain page at the callback and changes nothing', async () => {
    const opened = await chooseOAuthBank(app);
    const callbackAddress = await decideAtBank((await startRedirect(opened.visit)).authorize_url);
    const forged = (change: (query: URLSearchParams) => void): string => {
      const url = new URL(callbackAddress);
      change(url.searchParams);
      return url.href;
    };
    for (const address of [
      forged((query) => query.set('state', randomUUID())),
      forged((query) => query.delete('state')),
      forged((query) => query.set('iss', 'https://evil.example')),
      forged((query) => query.delete('iss')),
      forged((query) => query.append('code', 'x')),
    ]) {
      const { status, headers } = await callBack(address);
      expect({
        status,
        type: headers.get('content-type'),
        location: headers.get('location'),
      }).toEqual({ status: 400, type: 'text/html; charset=utf-8', location: null });
    }
    expect(await opened.visit.poll()).toMatchObject({
      seq: 3,
      step: { kind: 'redirect', started: true },
    });
    const address = await arriveAtApp(callbackAddress);
    expect((await callBack(callbackAddress)).status).toBe(400);
    expect(await submitReturn(opened.visit, address)).toMatchObject({ step: { kind: 'success' } });
  });

  it('ends in an error and links nothing when its code is wrong', async () => {
    const opened = await chooseOAuthBank(app);
    const callbackAddress = new URL(
      await decideAtBank((await startRedirect(opened.visit)).authorize_url),
    );
    callbackAddress.searchParams.set('code', 'forged');
    expect(
      (await submitReturn(opened.visit, await arriveAtApp(callbackAddress.href))).step,
    ).toMatchObject({
      kind: 'error',
    });
    expect(await linkOf(opened)).toMatchObject({ state: 'error' });
  });

  it('repeats the view to the window that sent it, and is refused to any other', async () => {
    const { visit, address, session } = await backAtApp();
    const first = await submitReturn(visit, address);
    expect((await submitReturnCall(visit, address)).body).toEqual(first);
    const stranger = await chooseOAuthBank(app);
    await startRedirect(stranger.visit);
    expect(await submitReturnCall(stranger.visit, address)).toMatchObject(stateInvalid);
    expect(await ConnectVisit.resumeCall(app.baseUrl, address)).toMatchObject(stateInvalid);
    expect(
      await ConnectVisit.resumeCall(app.baseUrl, address, {
        link_session_token: session.link_session_token,
      }),
    ).toMatchObject(stateInvalid);
    expect((await visit.poll()).step.kind).toBe('success');
    expect((await visit.finish()).exchangeable_token).toBeTruthy();
  });

  it('is refused before the bank has redirected the user', async () => {
    const { visit } = await chooseOAuthBank(app);
    await startRedirect(visit);
    for (const address of [REDIRECT_URI, `${REDIRECT_URI}?oauth_state_id=${randomUUID()}`]) {
      expect(await submitReturnCall(visit, address)).toMatchObject(stateInvalid);
      expect(await ConnectVisit.resumeCall(app.baseUrl, address)).toMatchObject(stateInvalid);
    }
    expect(await visit.poll()).toMatchObject({ step: { kind: 'redirect', started: true } });
  });
});

describe('Resuming a session in another window', () => {
  const open = (session: { link_session_token: string }) =>
    ConnectVisit.openCall(app.baseUrl, session.link_session_token);

  it('without the token takes over the session permanently and links there for the user that the app names', async () => {
    const user = { id: 'a user on two devices' };
    const { visit, session, address } = await backAtApp({ customer_user: user });
    const elsewhere = await ConnectVisit.resume(app.baseUrl, address);
    expect(await visit.call('GET', '/session')).toMatchObject(moved);
    expect(await visit.finishCall()).toMatchObject(moved);
    expect(await open(session)).toMatchObject({
      status: 401,
      body: { error_code: 'connect_error.invalid_session_token' },
    });
    expect(await ConnectVisit.resumeCall(app.baseUrl, address)).toMatchObject(stateInvalid);
    expect((await answerQuestions(elsewhere)).step.kind).toBe('success');
    const { exchangeable_token: token } = await elsewhere.finish();
    expect(await app.exchange(token)).toMatchObject({ status: 403 });
    const expected = { expected_customer_user_id: user.id };
    const { link } = await expectStatus(201, app.exchange(token, expected));
    expect(link.state).toBe('connected');
  });

  it('with the token keeps the token usable, also after a reload', async () => {
    const { visit, session, address } = await backAtApp();
    const elsewhere = await ConnectVisit.resume(app.baseUrl, address, {
      link_session_token: session.link_session_token,
    });
    expect(await visit.call('GET', '/session')).toMatchObject(moved);
    expect((await answerQuestions(elsewhere)).step.kind).toBe('success');
    expect(
      await ConnectVisit.resumeCall(app.baseUrl, address, {
        link_session_token: session.link_session_token,
      }),
    ).toMatchObject(stateInvalid);
    const reloaded = await ConnectVisit.open(app.baseUrl, session.link_session_token);
    expect(reloaded.view.step.kind).toBe('success');
    expect(await elsewhere.call('GET', '/session')).toMatchObject(moved);
    expect(await exchange(reloaded)).toMatch(/^mk_/);
  });

  it('with the token of another session changes nothing, so a forwarded bank link is worthless', async () => {
    const [attacker, victim] = [await backAtApp(), await chooseOAuthBank(app)];
    expect(
      await ConnectVisit.resumeCall(app.baseUrl, attacker.address, {
        link_session_token: victim.session.link_session_token,
      }),
    ).toMatchObject(stateInvalid);
    expect(await victim.visit.poll()).toMatchObject({ step: { kind: 'redirect', started: false } });
    await ConnectVisit.resume(app.baseUrl, attacker.address);
    expect(await attacker.visit.finishCall()).toMatchObject(moved);
    expect(await submitReturnCall(attacker.visit, attacker.address)).toMatchObject(moved);
    expect((await open(attacker.session)).status).toBe(401);
  });

  it('twice with one request id returns the same response', async () => {
    const { address } = await backAtApp();
    const requestId = randomUUID();
    const [first, second] = await Promise.all(
      [1, 2].map(() => ConnectVisit.resumeCall(app.baseUrl, address, { request_id: requestId })),
    );
    expect({ firstStatus: first?.status, secondStatus: second?.status }).toEqual({
      firstStatus: 200,
      secondStatus: 200,
    });
    expect(first?.body.connect_token).toBe(second?.body.connect_token);
  });
});

describe('Killing the worker during the code exchange', () => {
  it('offers a new redirect attempt, which completes the link', async () => {
    const { visit, address } = await backAtApp();
    gate.set('hang');
    const bringing = submitReturnCall(visit, address);
    await eventually(async () => {
      const [row] = await truth.rows<{ redeemed_at: Date | null }>(
        'SELECT redeemed_at FROM oauth_states WHERE session_id = $1',
        [visit.view.session_id],
      );
      expect(row?.redeemed_at).not.toBeNull();
    });
    await service.untilRestarted('worker', service.kill('worker'));
    gate.set('cut');
    gate.set('open');
    await bringing;
    const view = await eventually(async () => {
      const now: View = await visit.poll(2);
      expect(now.step).toMatchObject({
        kind: 'redirect',
        started: false,
        error: { code: 'interrupted' },
      });
      return now;
    });
    expect(view.step.can_go_back).toBe(true);
    expect(await goThroughOAuthBank(visit)).toMatchObject({ step: { kind: 'success' } });
  });
});
