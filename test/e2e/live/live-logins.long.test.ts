import { answerQuestions } from '../../support/actors/answer-questions.js';
import {
  chooseLiveBank,
  decideAtLiveBank,
  goThroughLiveBank,
  linkLive,
  logInLive,
} from './support/live-journey.js';
import { AppBackEnd, ConnectVisit, expectStatus } from '../../support/actors/link-journey.js';
import {
  arriveAtApp,
  callBack,
  startRedirect,
  submitReturn,
} from '../../support/actors/oauth-journey.js';
import { LIVE_VENDORS } from '../../support/services/live-simulators.js';
import { live, service, startLiveService, truth } from './support/live-service.js';

/**
 * Logins that end at their bank or before their accounts are listed, through a whole service. In
 * `npm test` test/integration/linking/login-grants.test.ts and the tests of the calls of redirects
 * in test/e2e/connect prove them one by one.
 */
const REDIRECTS = ['enable-banking', 'fdx'] as const;

startLiveService();

let app: AppBackEnd;
beforeAll(() => {
  app = new AppBackEnd(service.info.base_url, service.app.sandbox);
});

const linkOf = ({ view }: ConnectVisit) => truth.linkOfSession(view.session_id);

/**
 * For each vendor, the call that lists accounts, and the call that exchanges the single-use token
 * or code.
 */
const CALLS = {
  simplefin: { lists: '/simplefin/accounts', exchanges: /^POST \/simplefin\/claim\// },
  'enable-banking': { lists: '/accounts/*', exchanges: /^POST \/sessions$/ },
  fdx: { lists: '/first-fdx/*accounts', exchanges: /^POST \/first-fdx\/token$/ },
} as const;

describe.each(LIVE_VENDORS)('A login through %s whose accounts cannot be listed', (vendor) => {
  it.each(['status_500', 'broken_json', 'refuse'])(
    'because of %s completes when its user tries again, and uses its token or code once',
    async (misbehavior) => {
      const simulator = live.simulators[vendor];
      const known = (await simulator.requests()).length;
      const visit = await chooseLiveBank(app, vendor);
      await simulator.script(misbehavior, { path: CALLS[vendor].lists, method: 'GET' });
      expect((await logInLive(visit, vendor, live)).step).toMatchObject({
        kind: 'error',
        error_id: expect.stringMatching(/^connect_error\.(provider|institution)_down$/) as string,
      });
      expect(await linkOf(visit)).toMatchObject({ state: 'error' });
      await visit.answer({ kind: 'error', action: 'retry' });
      expect((await answerQuestions(visit)).step.kind).toBe('success');
      const { exchangeable_token: token } = await visit.finish();
      const { link_id: linkId } = await expectStatus(201, app.exchange(token));
      await app.untilRefreshed(linkId, 'transactions');
      const calls = (await simulator.requests()).slice(known);
      expect(
        calls.filter(({ method, path }) => CALLS[vendor].exchanges.test(`${method} ${path}`)),
      ).toHaveLength(1);
    },
  );
});

describe.each(LIVE_VENDORS)('A relink through %s whose accounts cannot be listed', (vendor) => {
  it('completes when its user tries again', async () => {
    const linkId = await linkLive(app, vendor, live);
    const simulator = live.simulators[vendor];
    const visit = await chooseLiveBank(app, vendor, { existing_link_id: linkId });
    await simulator.script('status_500', { path: CALLS[vendor].lists, method: 'GET' });
    expect((await logInLive(visit, vendor, live)).step.kind).toBe('error');
    await visit.answer({ kind: 'error', action: 'retry' });
    expect((await answerQuestions(visit)).step.kind).toBe('success');
    expect(await visit.finish()).toMatchObject({ mode: 'relink' });
  });
});

describe.each(REDIRECTS)('A login through %s', (vendor) => {
  it('ends as denied when the customer denies it, links nothing and can be tried again', async () => {
    const visit = await chooseLiveBank(app, vendor);
    expect((await goThroughLiveBank(visit, vendor, { decision: 'deny' })).step).toMatchObject({
      kind: 'error',
      error_id: 'connect_error.oauth_denied',
      link_error: 'user_error',
    });
    expect(await linkOf(visit)).toMatchObject({ state: 'error', error_code: 'user_error' });
    await visit.answer({ kind: 'error', action: 'retry' });
    expect((await logInLive(visit, vendor, live)).step.kind).toBe('success');
  });

  it('accepts each return once, refuses changed ones, and refuses its code in another login', async () => {
    const visit = await chooseLiveBank(app, vendor);
    const { authorize_url: authorizeUrl } = await startRedirect(visit);
    const returned = new URL(await decideAtLiveBank(vendor, authorizeUrl));
    // Enable Banking sends no issuer; its adapter refuses one.
    const forgeries = vendor === 'fdx' ? ['state', 'iss'] : ['state'];
    for (const name of forgeries) {
      const forged = new URL(returned);
      forged.searchParams.set(name, 'https://evil.example');
      expect((await callBack(forged.href)).status).toBe(400);
    }
    const address = await arriveAtApp(returned.href);
    expect((await callBack(returned.href)).status).toBe(400);
    expect((await submitReturn(visit, address)).step.kind).toBe('success');

    const other = await chooseLiveBank(app, vendor);
    const end = await goThroughLiveBank(other, vendor, {
      change: (query) => query.set('code', returned.searchParams.get('code') ?? ''),
    });
    expect(end.step.kind).toBe('error');
    expect(await linkOf(other)).toMatchObject({ state: 'error' });
  });
});
