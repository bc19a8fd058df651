import { randomUUID } from 'node:crypto';
import { errorOf, type ApiResponse, type ApiClient } from '../../support/services/api-client.js';
import { OAUTH_BANK } from '../../support/services/row-steps.js';
import {
  openSession,
  startApiInProcess,
  type ApiInProcess,
  type OpenedSession,
} from '../../support/services/api-in-process.js';
import { storedRows } from '../../support/assertions/stored-rows.js';

const REDIRECT_URI = 'https://app.example/bank-return';
const ISSUER = 'https://bank.example';
const invalid = 'connect_error.invalid_input';
const stateInvalid = { status: 422, code: 'connect_error.oauth_state_invalid', locations: [] };

let service: ApiInProcess;
let token: string;

beforeAll(async () => {
  service = await startApiInProcess({ BASE_URL: 'https://api.example' });
  token = await service.token('pocket-ledger');
});

afterAll(async () => {
  await service?.close();
});

interface Started {
  authorize_url: string;
  state_hash: string;
  expires_at: string;
  view: { seq: number; step: { kind: string; started: boolean } };
}

/** A Connect user before or at the bank. */
class Visit {
  seq = 0;
  state = '';

  private constructor(
    readonly session: OpenedSession,
    readonly connect: ApiClient,
  ) {}

  static async offered(request: Record<string, unknown> = {}): Promise<Visit> {
    const session = await openSession(service, token, { redirect_uri: REDIRECT_URI, ...request });
    const visit = new Visit(session, service.api.as(session.connectToken));
    const { body } = await visit.step(
      { kind: 'select_institution', institution_id: OAUTH_BANK },
      session.seq,
    );
    visit.seq = (body as { seq: number }).seq;
    return visit;
  }

  static async started(request: Record<string, unknown> = {}): Promise<Visit> {
    const visit = await Visit.offered(request);
    visit.know(await visit.start());
    return visit;
  }

  /** The user has returned to the app's page; `address` is that of the page. */
  static async returned(
    request: Record<string, unknown> = {},
  ): Promise<Visit & { address: string }> {
    const visit = await Visit.started(request);
    const { headers } = await callback(visit.approval());
    return Object.assign(visit, { address: headers.get('location') ?? '' });
  }

  step(input: unknown, seq = this.seq) {
    return this.connect.post('/connect/api/session/step', {
      json: { seq, request_id: randomUUID(), input },
    });
  }

  start(fields: Record<string, unknown> = {}, requestId: string = randomUUID()) {
    return this.connect.post('/connect/api/session/oauth/start', {
      json: { seq: this.seq, request_id: requestId, window: 'popup', ...fields },
    });
  }

  know({ body }: ApiResponse): void {
    const started = body as Started;
    this.seq = started.view.seq;
    this.state = new URL(started.authorize_url).searchParams.get('state') ?? '';
  }

  approval(changes: Record<string, string | null> = {}): URLSearchParams {
    const query = new URLSearchParams({
      state: this.state,
      code: 'canary-code-of-the-bank',
      iss: ISSUER,
    });
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) query.delete(name);
      else query.set(name, value);
    }
    return query;
  }

  bring(address: string, connect = this.connect) {
    return connect.post('/connect/api/session/oauth/return', {
      json: { request_id: randomUUID(), url: address },
    });
  }
}

async function callback(
  query: URLSearchParams | string,
  init: RequestInit = {},
): Promise<Response> {
  return fetch(`${service.api.baseUrl}/connect/oauth/callback?${query}`, {
    redirect: 'manual',
    ...init,
  });
}

const resume = (address: string, fields: Record<string, unknown> = {}) =>
  service.api.post('/connect/api/session/resume', {
    json: {
      url: address,
      request_id: randomUUID(),
      origin: 'https://app.example',
      platform: 'web',
      ...fields,
    },
  });

async function changesNothing<T>(attempt: () => Promise<T>): Promise<T> {
  const before = await storedRows(service.database.pool);
  const response = await attempt();
  expect(await storedRows(service.database.pool)).toEqual(before);
  return response;
}

describe('POST /connect/api/session/oauth/start', () => {
  it('returns the authorization address and starts the link', async () => {
    const visit = await Visit.offered();
    const links = () => service.database.prisma.link.count();
    const before = await links();
    const { status, body } = await visit.start();
    expect(status).toBe(200);
    expect(body).toEqual({
      authorize_url: expect.stringMatching(/^https:\/\/bank\.example\/authorize\?state=[\w-]{43}$/),
      state_hash: expect.stringMatching(/^[\w-]{43}$/),
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}$/),
      view: expect.objectContaining({
        seq: visit.seq + 1,
        redirect_uri: REDIRECT_URI,
        step: expect.objectContaining({ kind: 'redirect', started: true }),
      }),
    });
    expect(await links()).toBe(before + 1);
  });

  it('repeats the response of one request id, and starts a new attempt for another', async () => {
    const visit = await Visit.offered();
    const requestId = randomUUID();
    const [first, second] = [
      await visit.start({}, requestId),
      await visit.start({}, requestId.toUpperCase()),
    ];
    expect(second.body).toEqual(first.body);
    visit.know(first);
    const third = await visit.start();
    expect(third.status).toBe(200);
    const redirectAttemptOf = ({ body }: ApiResponse) => {
      const { authorize_url, state_hash } = body as Started;
      return [authorize_url, state_hash];
    };
    expect(redirectAttemptOf(third)).not.toEqual(redirectAttemptOf(first));
    expect(redirectAttemptOf(await visit.start({}, requestId))).toEqual(redirectAttemptOf(first));
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    ['a missing window', { window: undefined }, ['body.window']],
    ['an unknown window', { window: 'tab' }, ['body.window']],
    ['a missing seq', { seq: undefined }, ['body.seq']],
    ['an invalid request id', { request_id: 'x' }, ['body.request_id']],
  ])('refuses %s', async (_, fields, locations) => {
    const visit = await Visit.offered();
    expect(errorOf(await changesNothing(() => visit.start(fields)))).toEqual({
      status: 422,
      code: invalid,
      locations,
    });
  });

  it('refuses a stale seq and a step of another kind', async () => {
    const visit = await Visit.offered();
    expect(await changesNothing(() => visit.start({ seq: 1 }))).toMatchObject({
      status: 409,
      body: { error_code: 'connect_error.stale_step', view: { seq: visit.seq } },
    });
    await service.steps.show(visit.session.sessionId, visit.seq + 1, {
      kind: 'select_institution',
    });
    expect(errorOf(await changesNothing(() => visit.start({ seq: visit.seq + 1 })))).toEqual({
      status: 422,
      code: invalid,
      locations: ['body.seq'],
    });
  });

  it('returns the new step when the bank offers no redirect', async () => {
    const visit = await Visit.offered();
    const requestId = randomUUID();
    service.steps.next = { kind: 'done' };
    await service.steps.show(visit.session.sessionId, visit.seq, {
      kind: 'redirect',
      started: false,
    });
    const refused = await visit.start({}, requestId);
    expect(refused).toMatchObject({
      status: 409,
      body: {
        error_code: 'connect_error.stale_step',
        view: { step: { kind: 'redirect', started: false } },
      },
    });
    service.steps.next = { kind: 'waiting' };
    expect(await visit.start()).toMatchObject({
      status: 409,
      body: { error_code: 'connect_error.step_in_progress', view: { step: { kind: 'wait' } } },
    });
    service.steps.next = { kind: 'rejected', reason: 'StepInProgress' };
    expect(await visit.start()).toMatchObject({
      status: 409,
      body: { error_code: 'connect_error.step_in_progress' },
    });
  });

  it('is refused after success and without a token', async () => {
    const visit = await Visit.returned();
    await visit.bring(visit.address);
    expect(errorOf(await visit.start())).toEqual({
      status: 410,
      code: 'connect_error.session_closed',
      locations: [],
    });
    expect(
      errorOf(await service.api.post('/connect/api/session/oauth/start', { json: {} })),
    ).toEqual({ status: 401, code: 'connect_error.invalid_session_token', locations: [] });
  });
});

describe('GET /connect/oauth/callback', () => {
  it('redirects to the app once, with the state id as the only parameter', async () => {
    const visit = await Visit.started();
    const response = await callback(visit.approval());
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toMatch(
      /^https:\/\/app\.example\/bank-return\?oauth_state_id=[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(await response.text()).toBe('');
    expect((await callback(visit.approval())).status).toBe(400);
  });

  it.each<[string, Record<string, string | null>]>([
    ['a refusal at the bank', { code: null, error: 'access_denied', error_description: 'canary' }],
    ['unknown parameters', { session_state: 'x' }],
  ])('redirects in the same way after %s', async (_, changes) => {
    const visit = await Visit.started();
    const response = await callback(visit.approval(changes));
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toMatch(/\?oauth_state_id=[0-9a-f-]{36}$/);
  });

  it.each<[string, string]>([
    ['an app of its own scheme', 'pocketledger://return'],
    ['an app in development', 'exp://192.168.0.7:8081/--/return'],
    ['an address in another script', 'https://app.example/rückkehr'],
  ])('redirects to %s', async (_, uri) => {
    const visit = await Visit.started({ redirect_uri: uri });
    const location = (await callback(visit.approval())).headers.get('location') ?? '';
    expect(decodeURI(location).split('?')[0]).toBe(uri);
    expect(await resume(location)).toMatchObject({ status: 200 });
  });

  it.each<[string, (visit: Visit) => URLSearchParams | string]>([
    ['an empty query', () => ''],
    ['an unknown state', (visit) => visit.approval({ state: 'unknown' })],
    ['a missing state', (visit) => visit.approval({ state: null })],
    ['two states', (visit) => `${visit.approval()}&state=x`],
    ['another issuer', (visit) => visit.approval({ iss: 'https://evil.example' })],
    ['a missing issuer', (visit) => visit.approval({ iss: null })],
    ['two issuers', (visit) => `${visit.approval()}&iss=${ISSUER}`],
    ['two codes', (visit) => `${visit.approval()}&code=x`],
    ['a code and an error', (visit) => visit.approval({ error: 'access_denied' })],
    ['a missing code and error', (visit) => visit.approval({ code: null })],
    ['broken encoding', () => 'state=%E0%A4%A&code=%'],
  ])('asks the user to return to the app on %s, and changes nothing', async (_, forge) => {
    const visit = await Visit.started();
    const response = await changesNothing(() => callback(forge(visit)));
    expect(response.status).toBe(400);
    expect(response.headers.get('location')).toBeNull();
    const page = await response.text();
    expect(page).toContain('<h1>Please return to the app</h1>');
    expect(page).not.toContain('canary');
    expect((await callback(visit.approval())).status).toBe(303);
  });

  it('shows an accessible page that can run no script', async () => {
    const { headers, ...response } = await callback('state=x&code=x', {
      headers: { 'accept-language': 'tlh, ar;q=0.8' },
    }).then(async (given) => ({ headers: given.headers, page: await given.text() }));
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]{44}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(response.page).toContain('<html lang="ar" dir="rtl">');
    expect(response.page).toMatch(/<main>\n<h1>[^<]+<\/h1>/);
    expect(response.page).not.toMatch(/<script|style="|\son\w+=/i);
  });

  it.each([
    ['', 'en'],
    ['de-AT,de;q=0.9', 'de'],
    ['fr', 'fr'],
    ['es-MX', 'es'],
    ['xx', 'en'],
    ['constructor', 'en'],
  ])('shows the page for Accept-Language %j in %s', async (asked, language) => {
    const response = await callback('', { headers: { 'accept-language': asked } });
    expect(await response.text()).toContain(`<html lang="${language}" dir="ltr">`);
  });

  it('is not used up by a HEAD request, and refuses other methods', async () => {
    const visit = await Visit.started();
    expect(
      (await changesNothing(() => callback(visit.approval(), { method: 'HEAD' }))).status,
    ).toBe(400);
    expect(
      (await changesNothing(() => callback(visit.approval(), { method: 'POST' }))).status,
    ).toBe(405);
    expect((await callback(visit.approval())).status).toBe(303);
  });

  it('is refused when the redirect attempt or the session expired', async () => {
    const [late, over] = [await Visit.started(), await Visit.started()];
    await service.database.prisma.oAuthState.updateMany({
      where: { sessionId: late.session.sessionId },
      data: { expiresAt: new Date() },
    });
    await service.database.prisma.linkSession.update({
      where: { sessionId: over.session.sessionId },
      data: { expiresAt: new Date() },
    });
    for (const visit of [late, over])
      expect((await changesNothing(() => callback(visit.approval()))).status).toBe(400);
  });
});

describe('POST /connect/api/session/oauth/return', () => {
  it('continues the session, and repeats the view to the same window', async () => {
    const visit = await Visit.returned();
    const first = await visit.bring(visit.address);
    expect(first).toMatchObject({ status: 200, body: { step: { kind: 'success' } } });
    expect((await visit.bring(`${visit.address}&theme=dark#top`)).body).toEqual(first.body);
  });

  it.each<[string, (visit: { address: string }) => string]>([
    ['an invalid address', () => 'hello'],
    ['an address without the id', () => REDIRECT_URI],
    ['an unknown id', () => `${REDIRECT_URI}?oauth_state_id=${randomUUID()}`],
    ['an invalid id', () => `${REDIRECT_URI}?oauth_state_id=1`],
    ['two ids', ({ address }) => `${address}&oauth_state_id=${randomUUID()}`],
  ])('refuses %s', async (_, forge) => {
    const visit = await Visit.returned();
    expect(errorOf(await changesNothing(() => visit.bring(forge(visit))))).toEqual(stateInvalid);
    expect((await visit.bring(visit.address)).status).toBe(200);
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    ['no address', { request_id: randomUUID() }, ['body.url']],
    ['no request id', { url: REDIRECT_URI }, ['body.request_id']],
  ])('refuses a body with %s', async (_, json, locations) => {
    const visit = await Visit.returned();
    expect(
      errorOf(await visit.connect.post('/connect/api/session/oauth/return', { json })),
    ).toEqual({ status: 422, code: invalid, locations });
  });

  it('refuses another session, and a window that lost the session', async () => {
    const [visit, stranger] = [await Visit.returned(), await Visit.started()];
    expect(errorOf(await changesNothing(() => stranger.bring(visit.address)))).toEqual(
      stateInvalid,
    );
    await service.steps.sessions.open(visit.session.sessionId);
    expect(errorOf(await changesNothing(() => visit.bring(visit.address)))).toEqual({
      status: 409,
      code: 'connect_error.session_moved',
      locations: [],
    });
  });

  it('may be retried when the session was busy', async () => {
    const visit = await Visit.returned();
    service.steps.next = { kind: 'rejected', reason: 'StepInProgress' };
    expect(await visit.bring(visit.address)).toMatchObject({
      status: 409,
      body: { error_code: 'connect_error.step_in_progress', view: { seq: visit.seq } },
    });
    expect(await visit.bring(visit.address)).toMatchObject({
      status: 200,
      body: { step: { kind: 'success' } },
    });
  });

  it('is refused after the attempt was canceled', async () => {
    const visit = await Visit.returned();
    await service.steps.show(visit.session.sessionId, visit.seq + 1, {
      kind: 'redirect',
      started: false,
    });
    expect(errorOf(await visit.bring(visit.address))).toEqual(stateInvalid);
  });

  it('is refused after success for an unknown address', async () => {
    const visit = await Visit.returned();
    await visit.bring(visit.address);
    expect(errorOf(await visit.bring(`${REDIRECT_URI}?oauth_state_id=${randomUUID()}`))).toEqual({
      status: 410,
      code: 'connect_error.session_closed',
      locations: [],
    });
  });
});

describe('POST /connect/api/session/resume', () => {
  let visit: Awaited<ReturnType<typeof Visit.returned>>;
  const open = () =>
    service.api.post('/connect/api/session/open', {
      json: {
        link_session_token: visit.session.linkSessionToken,
        request_id: randomUUID(),
        origin: 'https://app.example',
      },
    });
  const poll = (connectToken: string) => service.api.as(connectToken).get('/connect/api/session');

  beforeEach(async () => {
    visit = await Visit.returned();
  });

  it('without the token takes over the session permanently', async () => {
    const resumed = await resume(visit.address);
    expect(resumed).toMatchObject({
      status: 200,
      body: {
        session_id: visit.session.sessionId,
        step: { kind: 'success' },
        connect_token: expect.stringMatching(/^[\w-]{43}$/),
      },
    });
    const { connect_token: connectToken } = resumed.body as { connect_token: string };
    expect((await poll(connectToken)).status).toBe(200);
    expect(errorOf(await poll(visit.session.connectToken))).toMatchObject({
      status: 409,
      code: 'connect_error.session_moved',
    });
    expect(errorOf(await open())).toMatchObject({
      status: 401,
      code: 'connect_error.invalid_session_token',
    });
    expect(errorOf(await resume(visit.address))).toEqual(stateInvalid);
    expect(
      await service.database.prisma.linkSession.findUnique({
        where: { sessionId: visit.session.sessionId },
      }),
    ).toMatchObject({ resumedWithoutToken: true });
    expect(await visit.bring(visit.address, service.api.as(connectToken))).toMatchObject({
      status: 200,
      body: { step: { kind: 'success' } },
    });
  });

  it('with the token leaves it usable, also after a reload', async () => {
    expect(
      (await resume(visit.address, { link_session_token: visit.session.linkSessionToken })).status,
    ).toBe(200);
    expect(errorOf(await poll(visit.session.connectToken))).toMatchObject({
      status: 409,
      code: 'connect_error.session_moved',
    });
    expect(
      errorOf(await resume(visit.address, { link_session_token: visit.session.linkSessionToken })),
    ).toEqual(stateInvalid);
    expect((await open()).status).toBe(200);
  });

  it('returns the same response to the same request', async () => {
    const requestId = randomUUID();
    const first = await resume(visit.address, { request_id: requestId });
    expect(await resume(visit.address, { request_id: requestId })).toMatchObject({
      status: 200,
      body: first.body,
    });
  });

  it('moves the session to the new window even while it is busy', async () => {
    service.steps.next = { kind: 'rejected', reason: 'StepInProgress' };
    expect(await resume(visit.address)).toMatchObject({
      status: 200,
      body: { step: { kind: 'redirect', started: true }, connect_token: expect.any(String) },
    });
  });

  it.each<
    [
      string,
      (address: string) => [string, Record<string, unknown>],
      { status: number; code: string; locations: string[] },
    ]
  >([
    ['an address without the id', () => [REDIRECT_URI, {}], stateInvalid],
    ['an unknown id', () => [`${REDIRECT_URI}?oauth_state_id=${randomUUID()}`, {}], stateInvalid],
    [
      'a malformed token',
      (address) => [address, { link_session_token: 'a b' }],
      { status: 401, code: 'connect_error.invalid_session_token', locations: [] },
    ],
    [
      'an unknown token',
      (address) => [address, { link_session_token: 'sandbox_ls_unknown' }],
      { status: 401, code: 'connect_error.invalid_session_token', locations: [] },
    ],
    [
      'a body without platform',
      (address) => [address, { platform: 'android' }],
      { status: 422, code: invalid, locations: ['body.platform'] },
    ],
    [
      'a body without request id',
      (address) => [address, { request_id: undefined }],
      { status: 422, code: invalid, locations: ['body.request_id'] },
    ],
  ])('refuses %s', async (_, forge, refusal) => {
    const [address, fields] = forge(visit.address);
    expect(errorOf(await changesNothing(() => resume(address, fields)))).toEqual(refusal);
    expect((await resume(visit.address)).status).toBe(200);
  });

  it('refuses the token of another session, a page that is not on the list, and an expired session', async () => {
    const stranger = await Visit.started();
    expect(
      errorOf(
        await changesNothing(() =>
          resume(visit.address, { link_session_token: stranger.session.linkSessionToken }),
        ),
      ),
    ).toEqual(stateInvalid);
    const app = { where: { appId: 'pocket-ledger' } };
    await service.database.prisma.application.update({
      ...app,
      data: { pageOrigins: ['https://other.example'] },
    });
    expect(errorOf(await changesNothing(() => resume(visit.address)))).toMatchObject({
      status: 403,
      code: 'connect_error.origin_not_allowed',
    });
    await service.database.prisma.application.update({ ...app, data: { pageOrigins: [] } });
    await service.database.prisma.linkSession.update({
      where: { sessionId: visit.session.sessionId },
      data: { expiresAt: new Date() },
    });
    expect(errorOf(await changesNothing(() => resume(visit.address)))).toMatchObject({
      status: 410,
      code: 'connect_error.session_expired',
    });
  });
});

it('The service logs no codes, states, redirect addresses or tokens', async () => {
  const visit = await Visit.returned();
  const { body } = await resume(visit.address);
  await callback('state=canary-state-in-the-query&code=canary-code-of-the-bank');
  const log = service.log();
  expect(log).toContain('/connect/oauth/callback');
  for (const secret of [
    'canary',
    visit.state,
    visit.address.split('=')[1] ?? 'x',
    visit.session.linkSessionToken,
    (body as { connect_token: string }).connect_token,
  ])
    expect(log).not.toContain(secret);
});
