import { randomUUID } from 'node:crypto';
import { soonerThan } from '../../support/assertions/sooner-than.js';
import { eventually } from '../../support/assertions/eventually.js';
import { ConnectVisit } from '../../support/actors/link-journey.js';
import type { View } from '../../support/actors/response-bodies.js';
import {
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
import { backAtApp } from './support/bank-returns.js';

const ALL = ['Everyday Checking', 'Rainy Day Savings', 'Rewards Card'];
const RETRY = { kind: 'error', action: 'retry' };
const CANCEL = { kind: 'redirect', cancel: true };

startServiceBehindGate({ CONNECT_SOFT_REPLY: '4s' });

const linkOf = ({ visit }: OAuthVisit) => truth.linkOfSession(visit.view.session_id);

describe('A session with OAuth Bank', () => {
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
    // Before the 60 s that a step may wait for its bank.
    expect(await soonerThan(50_000, startCall(visit, { seq, requestId }))).toMatchObject({
      status: 409,
      body: { view: { step: { kind: 'wait', can_cancel: true } } },
    });
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

describe('Killing the worker during the code exchange', () => {
  it('offers a new redirect attempt, which completes the link', async () => {
    const { visit, address } = await backAtApp(app);
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
