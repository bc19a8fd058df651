import { randomUUID } from 'node:crypto';
import { soonerThan } from '../../support/assertions/sooner-than.js';
import { errorOf, type ApiClient } from '../../support/services/api-client.js';
import { BANK } from '../../support/services/api-in-process.js';
import { storedRows } from '../../support/assertions/stored-rows.js';
import {
  connect,
  exit,
  finish,
  invalid,
  open,
  select,
  service,
  session,
  set,
  startConnectCalls,
  step,
  token,
  viewOf,
} from './support/connect-calls.js';

startConnectCalls();

describe('POST /connect/api/session/open', () => {
  it.each([
    ['an empty body', {}, 422, invalid, ['body.link_session_token']],
    [
      'an invalid request id',
      { link_session_token: 'x', request_id: 'x' },
      422,
      invalid,
      ['body.request_id'],
    ],
    [
      'an unknown platform',
      { link_session_token: 'x', platform: 'android' },
      422,
      invalid,
      ['body.platform'],
    ],
    [
      'an unknown token',
      { link_session_token: 'sandbox_ls_unknown' },
      401,
      'connect_error.invalid_session_token',
      [],
    ],
    [
      'a malformed token',
      { link_session_token: 'a b' },
      401,
      'connect_error.invalid_session_token',
      [],
    ],
    [
      'an overlong token',
      { link_session_token: 'x'.repeat(257) },
      401,
      'connect_error.invalid_session_token',
      [],
    ],
  ])('refuses %s', async (_title, fields, status, code, locations) => {
    const before = await storedRows(service.database.pool);
    expect(errorOf(await open(fields))).toEqual({ status, code, locations });
    expect(await storedRows(service.database.pool)).toEqual(before);
  });

  it('refuses a page origin that is not on the list', async () => {
    const listed = {
      where: { appId: 'pocket-ledger' },
      data: { pageOrigins: ['https://app.example'] },
    };
    await service.database.prisma.application.update(listed);
    const from = async (origin: string | null, platform = 'web') =>
      (await open({ link_session_token: session.linkSessionToken, origin, platform })).status;
    expect({
      listed: await from('https://app.example'),
      foreign: await from('https://evil.example'),
      none: await from(null),
      phone: await from(null, 'react-native'),
    }).toEqual({ listed: 200, foreign: 403, none: 403, phone: 200 });
    await service.database.prisma.application.update({ ...listed, data: { pageOrigins: [] } });
  });

  it.each([
    ['a page', 'https://app.example', 'web'],
    ['a phone app', null, 'ios'],
  ])(
    'refuses a Live session of an app without a list of page origins to %s',
    async (_, origin, platform) => {
      const live = await service.token('pocket-ledger', 'live');
      const { body } = await service.api
        .as(live)
        .post('/link-session', { json: { customer_user: { id: 'u' } } });
      const { link_session_token: liveToken } = body as { link_session_token: string };
      expect(liveToken).toMatch(/^live_ls_/);
      expect(
        errorOf(
          await open({
            link_session_token: liveToken,
            origin,
            platform,
          }),
        ),
      ).toMatchObject({ status: 403, code: 'connect_error.origin_not_allowed' });
    },
  );

  it('refuses an expired session', async () => {
    await set({ expiresAt: new Date(Date.now() - 1) });
    expect(errorOf(await open({ link_session_token: session.linkSessionToken }))).toMatchObject({
      status: 410,
      code: 'connect_error.session_expired',
    });
  });
});

describe('The token of a Connect window', () => {
  it('is refused with session_moved after the session moved to another window, which continues', async () => {
    const { body: view } = await connect.get('/connect/api/session');
    const newer = viewOf(await open({ link_session_token: session.linkSessionToken }));
    expect(newer).toMatchObject(view as object);
    for (const response of [
      await connect.get('/connect/api/session'),
      await step(select()),
      await finish(),
      await exit(),
      await connect.get('/connect/api/institutions'),
    ]) {
      expect(errorOf(response)).toEqual({
        status: 409,
        code: 'connect_error.session_moved',
        locations: [],
      });
    }
    const selected = await service.api
      .as(newer.connect_token ?? '')
      .post('/connect/api/session/step', {
        json: { seq: newer.seq, request_id: randomUUID(), input: select('instant') },
      });
    expect(viewOf(selected)).toMatchObject({ seq: 2, step: { kind: 'success' } });
  });

  it.each<[string, () => ApiClient]>([
    ['no token', () => service.api],
    ['an unknown token', () => service.api.as('unknown')],
    ['the access token of an app', () => service.api.as(token)],
    ['the token that opens the session', () => service.api.as(session.linkSessionToken)],
  ])('cannot be replaced by %s in any call of the session', async (_, caller) => {
    const request_id = randomUUID();
    for (const response of [
      await caller().get('/connect/api/session'),
      await caller().get('/connect/api/institutions'),
      await caller().post('/connect/api/session/step', {
        json: { seq: 1, request_id, input: select() },
      }),
      await caller().post('/connect/api/session/finish', { json: { request_id } }),
      await caller().post('/connect/api/session/exit', {
        json: { request_id, reason: 'user_closed' },
      }),
    ])
      expect(errorOf(response)).toMatchObject({
        status: 401,
        code: 'connect_error.invalid_session_token',
      });
  });

  it('is refused by the API', async () => {
    expect(errorOf(await connect.get('/links'))).toMatchObject({
      status: 401,
      code: 'api_error.auth.unauthorized',
    });
  });

  it('reads the view of docs/contract/connect.md 4', async () => {
    const { body } = await connect.get('/connect/api/session');
    expect(body).toEqual({
      session_id: session.sessionId,
      mode: 'link',
      environment: 'sandbox',
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/),
      seq: 1,
      app: { name: 'pocket-ledger', logo_url: null },
      products: { transactions: { required: false, reason: null } },
      countries: ['US'],
      features: { connect_manually: false },
      theme: null,
      redirect_uri: null,
      institution: null,
      step: {
        kind: 'select_institution',
        id: 'st_1',
        can_go_back: false,
        message: null,
        error: null,
        attempts_left: null,
        expires_at: null,
      },
    });
  });
});

describe('Long polling of a session', () => {
  it.each([
    ['wait=21', 'query.wait'],
    ['wait=-1', 'query.wait'],
    ['after_seq=x', 'query.after_seq'],
  ])('refuses %s', async (query, location) => {
    expect(errorOf(await connect.get(`/connect/api/session?${query}`))).toEqual({
      status: 422,
      code: invalid,
      locations: [location],
    });
  });

  it('returns as soon as the step changes', async () => {
    const waiting = soonerThan(19_000, connect.get('/connect/api/session?after_seq=1&wait=20'));
    await connect.get('/connect/api/session');
    await service.steps.show(session.sessionId, 2, {
      kind: 'wait',
      stage: 'connecting',
      can_cancel: false,
    });
    expect(viewOf(await waiting)).toMatchObject({
      seq: 2,
      step: { kind: 'wait', stage: 'connecting' },
    });
  });

  it('returns the view at once when the caller has an older one', async () => {
    const waiting = connect.get('/connect/api/session?after_seq=0&wait=20');
    expect(viewOf(await soonerThan(19_000, waiting))).toMatchObject({ seq: 1 });
  });

  it('returns the current view at the end of the wait, and session_moved when the window has lost the session', async () => {
    const started = Date.now();
    expect(viewOf(await connect.get('/connect/api/session?after_seq=1&wait=1'))).toMatchObject({
      seq: 1,
    });
    expect(Date.now() - started).toBeGreaterThanOrEqual(990);
    const waiting = connect.get('/connect/api/session?after_seq=1&wait=20');
    await connect.get('/connect/api/session');
    await open({ link_session_token: session.linkSessionToken });
    expect(errorOf(await waiting)).toMatchObject({
      status: 409,
      code: 'connect_error.session_moved',
    });
  });
});

describe('The institution search of a session', () => {
  it('returns only institutions the session may use, and refuses invalid parameters', async () => {
    const found = async (query: string) =>
      (await connect.get(`/connect/api/institutions?${query}`)).body as {
        institutions: { institution_id: string }[];
        cursor: unknown;
      };
    expect(await found('q=sandbox')).toMatchObject({
      institutions: [{ institution_id: BANK }],
      cursor: { next: null },
    });
    expect(await found('q=&country=GB')).toMatchObject({ institutions: [] });
    for (const [query, location] of [
      ['limit=51', 'query.limit'],
      ['limit=0', 'query.limit'],
      ['cursor=x', 'query.cursor'],
      ['country=CH', 'query.country'],
      [`q=${'x'.repeat(101)}`, 'query.q'],
      ['q=%00', 'query.q'],
    ]) {
      expect(errorOf(await connect.get(`/connect/api/institutions?${query}`))).toEqual({
        status: 422,
        code: invalid,
        locations: [location],
      });
    }
  });
});

describe('CORS of the session calls', () => {
  it('allows only the origin of the hosted app', async () => {
    const allowed = async (origin: string) =>
      (
        await service.api.send('OPTIONS', '/connect/api/session', {
          headers: { origin, 'access-control-request-method': 'GET' },
        })
      ).headers.get('access-control-allow-origin');
    expect(await allowed('http://127.0.0.1:4000')).toBe('http://127.0.0.1:4000');
    expect(await allowed('https://evil.example')).toBeNull();
  });
});
