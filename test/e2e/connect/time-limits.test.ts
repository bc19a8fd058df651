import { randomUUID } from 'node:crypto';
import { eventually } from '../../support/assertions/eventually.js';
import { AppBackEnd, ConnectVisit, INSTANT_BANK } from '../../support/actors/link-journey.js';
import { Standalone } from '../../support/services/standalone.js';
import { StoredTruth } from '../../support/assertions/stored-truth.js';

const SELECT = { kind: 'select_institution', institution_id: INSTANT_BANK };
const EXPIRED = { status: 410, body: { error_code: 'connect_error.session_expired' } };

let service: Standalone;
let app: AppBackEnd;
let truth: StoredTruth;

beforeAll(async () => {
  service = await Standalone.start({
    env: {
      LINK_SESSION_TTL: '4s',
      CONNECT_IDLE: '8s',
      CONNECT_TOTAL: '10s',
      EXCHANGE_WINDOW: '6s',
      ACCESS_TOKEN_TTL: '8s',
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

describe('The time limits (connect 13, check 9)', () => {
  it('end an access token', async () => {
    const token = await freshApp().accessToken();
    expect((await app.call('GET', '/links', { bearer: token })).status).toBe(200);
    await eventually(async () => {
      expect(await app.call('GET', '/links', { bearer: token })).toMatchObject({
        status: 401,
        body: { error_code: 'api_error.auth.expired_access_token' },
      });
    });
  });

  it('end a session that was never opened', async () => {
    const { link_session_token: token, expires_at: expiresAt } = await freshApp().createSession();
    await untilPast(Date.parse(`${expiresAt}Z`));
    expect(await ConnectVisit.openCall(app.baseUrl, token)).toMatchObject(EXPIRED);
  });

  it('end an opened session that is idle, and a long poll of it', async () => {
    const one = await ConnectVisit.open(
      app.baseUrl,
      (await freshApp().createSession()).link_session_token,
    );
    const opened = Date.now();
    expect(await one.call('GET', '/session?after_seq=1&wait=20')).toMatchObject(EXPIRED);
    expect(Date.now() - opened).toBeLessThan(15_000);
    expect(await one.submit(SELECT)).toMatchObject(EXPIRED);
    expect(await ConnectVisit.openCall(app.baseUrl, 'sandbox_ls_unknown')).toMatchObject({
      status: 401,
    });
  });

  it('are extended when the user asks for more time, but not past the total', async () => {
    const visit = await ConnectVisit.open(
      app.baseUrl,
      (await freshApp().createSession()).link_session_token,
    );
    const opened = Date.parse(`${visit.view.expires_at}Z`) - 8_000;
    const extend = async () =>
      (await visit.call('POST', '/session/extend', { request_id: randomUUID() })).body.expires_at;
    await untilPast(opened + 1_000);
    const later = Date.parse(`${await extend()}Z`);
    expect(later - opened).toBeGreaterThanOrEqual(9_000);
    await untilPast(opened + 4_000);
    expect(Date.parse(`${await extend()}Z`) - opened).toBe(10_000);
    // The step is the same, and the session outlives its first limit.
    await untilPast(opened + 8_500);
    expect(await visit.poll()).toMatchObject({
      seq: visit.view.seq,
      step: { kind: 'select_institution' },
    });
    await untilPast(opened + 10_000);
    expect(await visit.call('POST', '/session/extend', { request_id: randomUUID() })).toMatchObject(
      EXPIRED,
    );
  });

  it('are extended with every step, but not past the total', async () => {
    const one = await ConnectVisit.open(
      app.baseUrl,
      (await freshApp().createSession()).link_session_token,
    );
    const opened = Date.parse(`${one.view.expires_at}Z`) - 8_000;
    await untilPast(opened + 3_000);
    const next = await one.select();
    // Three seconds later, the idle limit alone would end a second after the total.
    expect(Math.abs(Date.parse(`${next.expires_at}Z`) - (opened + 10_000))).toBeLessThan(250);
  });

  it('end the exchange (link-lifecycle 15, check 4): the link becomes user_error, its data is erased and the token is refused', async () => {
    const one = await ConnectVisit.open(
      app.baseUrl,
      (await freshApp().createSession()).link_session_token,
    );
    await one.select();
    const { exchangeable_token: token, expires_in: seconds } = await one.finish();
    expect(seconds).toBe(6);
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
  });

  it('end the exchange also when its limit outlasts the session', async () => {
    const one = await ConnectVisit.open(
      app.baseUrl,
      (await freshApp().createSession()).link_session_token,
    );
    const opened = Date.parse(`${one.view.expires_at}Z`) - 8_000;
    await one.select();
    await untilPast(opened + 5_000);
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

  it('end the exchange also when no token was fetched', async () => {
    const one = await ConnectVisit.open(
      app.baseUrl,
      (await freshApp().createSession()).link_session_token,
    );
    await one.select();
    await eventually(async () => {
      expect(await truth.linkOfSession(one.view.session_id)).toMatchObject({
        state: 'error',
        error_code: 'user_error',
      });
    });
    expect(await one.finishCall()).toMatchObject({ status: 410 });
  });
});
