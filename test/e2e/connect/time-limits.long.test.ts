import { randomUUID } from 'node:crypto';
import { soonerThan } from '../../support/assertions/sooner-than.js';
import { eventually } from '../../support/assertions/eventually.js';
import { AppBackEnd, ConnectVisit, INSTANT_BANK } from '../../support/actors/link-journey.js';
import {
  callBack,
  chooseOAuthBank,
  decideAtBank,
  startRedirect,
} from '../../support/actors/oauth-journey.js';
import { Standalone } from '../../support/services/standalone.js';
import { StoredTruth } from '../../support/assertions/stored-truth.js';

const SELECT = { kind: 'select_institution', institution_id: INSTANT_BANK };
const EXPIRED = { status: 410, body: { error_code: 'connect_error.session_expired' } };

/** Far longer than the calls need that must finish in time, on a busy computer too. */
const UNOPENED_MS = 15_000;
const IDLE_MS = 24_000;
const TOTAL_MS = 30_000;
const EXCHANGE_MS = 24_000;
const TOKEN_MS = 24_000;

let service: Standalone;
let app: AppBackEnd;
let truth: StoredTruth;

beforeAll(async () => {
  service = await Standalone.start({
    env: {
      LINK_SESSION_TTL: `${UNOPENED_MS}ms`,
      CONNECT_IDLE: `${IDLE_MS}ms`,
      CONNECT_TOTAL: `${TOTAL_MS}ms`,
      OAUTH_TTL: '3s',
      EXCHANGE_WINDOW: `${EXCHANGE_MS}ms`,
      ACCESS_TOKEN_TTL: `${TOKEN_MS}ms`,
      RATE_LIMIT_TOKEN: 'off',
      RATE_LIMIT_CONNECT: 'off',
    },
  });
  app = new AppBackEnd(service.info.base_url, service.app.sandbox);
  truth = new StoredTruth(() => service.info.database_url);
});

afterAll(() => service?.dispose());

/** Each call may need a new access token, because the last one expired. */
const freshApp = () => new AppBackEnd(app.baseUrl, app.pair);
const untilPast = (moment: number) =>
  eventually(() => {
    if (Date.now() <= moment) throw new Error('not yet');
  });

/** The tests wait most of the time, so they start together. */
function itMeanwhile(title: string, test: () => Promise<void>): void {
  let done: Promise<void>;
  beforeAll(() => {
    done = test();
    // Its test reports a failure.
    done.catch(() => undefined);
  });
  it(title, () => done);
}

/** Opens a session of a new user. `openedAt` is the time of the opening. */
async function opened(): Promise<{ one: ConnectVisit; openedAt: number }> {
  const { link_session_token: token } = await freshApp().createSession({
    customer_user: { id: randomUUID() },
  });
  const one = await ConnectVisit.open(app.baseUrl, token);
  return { one, openedAt: Date.parse(`${one.view.expires_at}Z`) - IDLE_MS };
}

describe('The time limits (connect 13, check 9)', () => {
  itMeanwhile('end an access token', async () => {
    const token = await freshApp().accessToken();
    expect((await app.call('GET', '/links', { bearer: token })).status).toBe(200);
    await eventually(async () => {
      expect(await app.call('GET', '/links', { bearer: token })).toMatchObject({
        status: 401,
        body: { error_code: 'api_error.auth.expired_access_token' },
      });
    });
  });

  itMeanwhile('end a session that was never opened', async () => {
    const { link_session_token: token, expires_at: expiresAt } = await freshApp().createSession();
    await untilPast(Date.parse(`${expiresAt}Z`));
    expect(await ConnectVisit.openCall(app.baseUrl, token)).toMatchObject(EXPIRED);
  });

  itMeanwhile('end an opened session that is idle, and a long poll of it', async () => {
    const { one, openedAt } = await opened();
    await untilPast(openedAt + IDLE_MS / 2);
    const waiting = one.call('GET', '/session?after_seq=1&wait=20');
    expect(await soonerThan(19_000, waiting)).toMatchObject(EXPIRED);
    expect(await one.submit(SELECT)).toMatchObject(EXPIRED);
    expect(await ConnectVisit.openCall(app.baseUrl, 'sandbox_ls_unknown')).toMatchObject({
      status: 401,
    });
  });

  itMeanwhile('are extended when the user asks for more time, but not past the total', async () => {
    const { one, openedAt } = await opened();
    const extend = async () =>
      Date.parse(
        `${(await one.call('POST', '/session/extend', { request_id: randomUUID() })).body.expires_at}Z`,
      ) - openedAt;
    await untilPast(openedAt + 1_000);
    expect(await extend()).toBeGreaterThanOrEqual(1_000 + IDLE_MS);
    await untilPast(openedAt + 1_000 + TOTAL_MS - IDLE_MS);
    expect(await extend()).toBe(TOTAL_MS);
    // The step is the same, and the session outlives its first limit.
    await untilPast(openedAt + IDLE_MS + 250);
    expect(await one.poll()).toMatchObject({
      seq: one.view.seq,
      step: { kind: 'select_institution' },
    });
    await untilPast(openedAt + TOTAL_MS);
    expect(await one.call('POST', '/session/extend', { request_id: randomUUID() })).toMatchObject(
      EXPIRED,
    );
  });

  itMeanwhile('are extended with every step, but not past the total', async () => {
    const { one, openedAt } = await opened();
    await untilPast(openedAt + 1_000 + TOTAL_MS - IDLE_MS);
    const next = await one.select();
    // The idle limit alone would end at least a second after the total.
    expect(Math.abs(Date.parse(`${next.expires_at}Z`) - (openedAt + TOTAL_MS))).toBeLessThan(250);
  });

  itMeanwhile(
    'end the exchange (link-lifecycle 15, check 4): the link becomes user_error, its data is erased and the token is refused',
    async () => {
      const { one } = await opened();
      await one.select();
      const { exchangeable_token: token, expires_in: seconds } = await one.finish();
      expect(seconds).toBe(EXCHANGE_MS / 1_000);
      const { link_id: linkId } = await eventually(async () => {
        const link = await truth.linkOfSession(one.view.session_id);
        expect(link).toMatchObject({ state: 'error', error_code: 'user_error' });
        return link ?? { link_id: '' };
      });
      expect(await freshApp().exchange(token)).toMatchObject({
        status: 400,
        body: { error_code: 'link_session_error.invalid_token_exchange' },
      });
      expect(await truth.story(linkId)).toEqual([
        'state connecting',
        'state awaiting_token_exchange',
        'state error/user_error',
      ]);
      const fresh = freshApp();
      expect(await fresh.link(linkId)).toMatchObject({
        state: 'error',
        error_code: 'user_error',
        error_message: expect.any(String),
      });
      expect(await fresh.call('GET', `/links/${linkId}/accounts`)).toMatchObject({
        status: 422,
        body: { error_code: 'link_error.bad_state', link_error_code: 'user_error' },
      });
      const [left] = await truth.rows(
        'SELECT count(*)::int AS accounts FROM accounts a JOIN links l ON l.pk = a.link_pk WHERE l.link_id = $1',
        [linkId],
      );
      expect(left).toEqual({ accounts: 0 });
    },
  );

  itMeanwhile('end the exchange also when its limit outlasts the session', async () => {
    const { one, openedAt } = await opened();
    await one.select();
    await untilPast(openedAt + EXCHANGE_MS / 2);
    await one.finish();
    await eventually(async () => {
      expect(await one.finishCall()).toMatchObject({ status: 410 });
    });
    expect(await truth.linkOfSession(one.view.session_id)).toMatchObject({
      state: 'awaiting_token_exchange',
    });
    await eventually(async () => {
      expect(await truth.linkOfSession(one.view.session_id)).toMatchObject({
        state: 'error',
        error_code: 'user_error',
      });
    });
  });

  itMeanwhile('end the exchange also when no token was fetched', async () => {
    const { one } = await opened();
    await one.select();
    await eventually(async () => {
      expect(await truth.linkOfSession(one.view.session_id)).toMatchObject({
        state: 'error',
        error_code: 'user_error',
      });
    });
    expect(await one.finishCall()).toMatchObject({ status: 410 });
  });
  itMeanwhile("end a redirect attempt to a bank's own pages", async () => {
    const { visit } = await chooseOAuthBank(freshApp());
    const { authorize_url: authorizeUrl, expires_at: expiresAt } = await startRedirect(visit);
    const callbackAddress = await decideAtBank(authorizeUrl);
    const { seq } = visit.view;
    while (visit.view.seq === seq) await visit.poll(10);
    expect(visit.view.step).toMatchObject({
      kind: 'error',
      error_id: 'connect_error.timeout',
      fault: 'institution',
      link_error: 'institution_error',
    });
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(`${expiresAt}Z`));
    expect((await callBack(callbackAddress)).status).toBe(400);
    expect(await truth.linkOfSession(visit.view.session_id)).toMatchObject({
      state: 'error',
      error_code: 'institution_error',
    });
  });
});
