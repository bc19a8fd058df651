import { randomUUID } from 'node:crypto';
import { Products, type LinkTokenCreateRequest } from 'plaid';
import { startApiInProcess } from '../support/services/api-in-process.js';
import { errorOf } from '../support/services/api-client.js';
import { plaidOf, refusalOf } from '../support/actors/plaid-client.js';
import { LINK_REQUEST, plaidServiceOfFile } from '../support/fixtures/plaid-service.js';

/**
 * The browsers that may open the hosted page, the addresses, and the number of times (plaid-compat
 * 7, connect 2).
 */
const service = plaidServiceOfFile();

const hostedOrigin = () => new URL(service.api.connectBaseUrl).origin;
const HOSTED = { name: 'hosted', version: '0.1.0' };
const NOT_ALLOWED = { status: 403, code: 'connect_error.origin_not_allowed', locations: [] };
const INVALID = { status: 401, code: 'connect_error.invalid_session_token', locations: [] };
const CLOSED = { status: 410, code: 'connect_error.session_closed', locations: [] };

interface Opening {
  requestId?: string;
  cookie?: string | undefined;
  fields?: Record<string, unknown>;
}

const open = (token: string, { requestId = randomUUID(), cookie, fields = {} }: Opening = {}) =>
  service.api.api.post('/connect/api/session/open', {
    json: {
      link_session_token: token,
      request_id: requestId,
      origin: hostedOrigin(),
      platform: 'web',
      sdk: HOSTED,
      ...fields,
    },
    headers: cookie === undefined ? {} : { cookie },
  });

const tokenOf = async (over: object) => (await service.create(over)).data.link_token;

/** The cookie that a browser keeps from a response, in the form of a request. */
const cookieOf = ({ headers }: { headers: Headers }) => headers.getSetCookie()[0]?.split(';')[0];

it.each([
  ['the hosted page', {}],
  ['a caller at its origin that does not say so', { sdk: undefined }],
])('A link_token without hosted_link does not open for %s', async (_, fields) => {
  const token = await tokenOf({});
  expect(errorOf(await open(token, { fields }))).toEqual(NOT_ALLOWED);
  expect(
    (await open(token, { fields: { origin: 'https://app.example', sdk: undefined } })).status,
  ).toBe(200);
});

it('A link_token without hosted_link does not open for the hosted page in Live, although its origin is listed', async () => {
  const live = plaidOf(service.api, 'pocket-ledger', 'live');
  const create = async (over: object) =>
    (
      await live.linkTokenCreate({
        ...LINK_REQUEST,
        products: [Products.Balance],
        ...over,
      } as LinkTokenCreateRequest)
    ).data.link_token;
  const app = { where: { appId: 'pocket-ledger' } };
  await service.api.database.prisma.application.update({
    ...app,
    data: { pageOrigins: [hostedOrigin()] },
  });
  expect(errorOf(await open(await create({})))).toEqual(NOT_ALLOWED);
  expect((await open(await create({ hosted_link: {} }))).status).toBe(200);
  await service.api.database.prisma.application.update({ ...app, data: { pageOrigins: [] } });
});

it.each([
  ['a page of the app', { origin: 'https://app.example' }],
  ['a WebView', { origin: null, platform: 'ios' }],
  ['a phone app at the origin of Connect', { platform: 'react-native' }],
  ['a caller without an origin', { origin: null }],
])('A hosted link_token does not open for %s', async (_, fields) => {
  expect(errorOf(await open(await tokenOf({ hosted_link: {} }), { fields }))).toEqual(NOT_ALLOWED);
});

it('A hosted address opens in one browser only', async () => {
  const token = await tokenOf({ hosted_link: {} });
  const first = await open(token);
  expect(first.status).toBe(200);
  const cookie = cookieOf(first);
  expect(cookie).toMatch(/^connect-browser=[A-Za-z0-9_-]{43}$/);
  expect(first.headers.getSetCookie()[0]).toMatch(/; HttpOnly; SameSite=Strict; Max-Age=86400$/);

  expect(errorOf(await open(token))).toEqual(INVALID);
  const stranger = cookieOf(await open(await tokenOf({ hosted_link: {} })));
  expect(errorOf(await open(token, { cookie: stranger }))).toEqual(INVALID);
  expect(errorOf(await open(token, { cookie: `${cookie}; ${stranger}` }))).toEqual(INVALID);
  expect((await open(token, { cookie })).status).toBe(200);
});

it('A hosted address opens again for a call whose response was lost, and for a second session of its browser', async () => {
  const requestId = randomUUID();
  const token = await tokenOf({ hosted_link: {} });
  await open(token, { requestId });
  const repeated = await open(token, { requestId });
  expect(repeated.status).toBe(200);
  const cookie = cookieOf(repeated);
  const other = await open(await tokenOf({ hosted_link: {} }), { cookie });
  expect(cookieOf(other)).toBe(cookie);
  expect((await open(token, { cookie })).status).toBe(200);
});

it('A finished session returns its result to its own window, and cannot be opened again', async () => {
  for (const [over, origin, sdk] of [
    [{ hosted_link: {} }, hostedOrigin(), HOSTED],
    [{}, 'https://app.example', undefined],
  ] as const) {
    const token = await tokenOf(over);
    const opened = await open(token, { fields: { origin, sdk } });
    const { connect_token: connectToken, seq } = opened.body as {
      connect_token: string;
      seq: number;
    };
    const window = service.api.api.as(connectToken);
    await window.post('/connect/api/session/step', {
      json: {
        seq,
        request_id: randomUUID(),
        input: { kind: 'select_institution', institution_id: 'sandbox-instant-bank' },
      },
    });
    const finish = () =>
      window.post('/connect/api/session/finish', { json: { request_id: randomUUID() } });
    expect((await finish()).status).toBe(200);

    const again = { cookie: cookieOf(opened), fields: { origin, sdk } };
    expect(errorOf(await open(token, again))).toEqual(CLOSED);
    // The window may repeat the request, and the back end has the result.
    expect((await finish()).status).toBe(200);
    const {
      data: { link_sessions: [session] = [] },
    } = await service.plaid.linkTokenGet({ link_token: token });
    expect(session?.results?.item_add_results).toHaveLength(1);
  }
});

it('A completion_redirect_uri is refused where a redirect_uri would be refused', async () => {
  const live = plaidOf(service.api, 'pocket-ledger', 'live');
  const create = (uri: string) =>
    live.linkTokenCreate({
      ...LINK_REQUEST,
      products: [Products.Balance],
      hosted_link: { completion_redirect_uri: uri },
    } as LinkTokenCreateRequest);
  const invalidField = [400, 'INVALID_REQUEST', 'INVALID_FIELD'];
  expect(await refusalOf(create('https://app.example/done'))).toEqual(invalidField);
  const app = { where: { appId: 'pocket-ledger' } };
  const { prisma } = service.api.database;
  await prisma.application.update({ ...app, data: { redirectOrigins: ['https://app.example'] } });
  expect((await create('https://app.example/done?from=bank')).status).toBe(200);
  expect(await refusalOf(create('https://evil.example/done'))).toEqual(invalidField);
  await prisma.application.update({ ...app, data: { redirectOrigins: [] } });
});

describe('The cookie of a hosted session behind https', () => {
  it.each([
    ['on the same site', 'https://connect.bank-app.example/connect', 'SameSite=Strict'],
    ['on another site', 'https://connect.other.example/connect', 'SameSite=None; Partitioned'],
  ])('belongs to one host, and is sent by a page %s', async (_, connectBaseUrl, sameSite) => {
    const api = await startApiInProcess({
      BASE_URL: 'https://api.bank-app.example',
      CONNECT_BASE_URL: connectBaseUrl,
      RATE_LIMIT_COMPAT: 'off',
    });
    try {
      const { data } = await plaidOf(api).linkTokenCreate({
        ...LINK_REQUEST,
        hosted_link: {},
      } as LinkTokenCreateRequest);
      const { origin } = new URL(connectBaseUrl);
      const { status, headers } = await api.api.post('/connect/api/session/open', {
        json: {
          link_session_token: data.link_token,
          request_id: randomUUID(),
          origin,
          platform: 'web',
          sdk: HOSTED,
        },
        headers: { origin },
      });
      expect(status).toBe(200);
      expect(headers.getSetCookie()).toEqual([
        expect.stringMatching(
          new RegExp(
            `^__Host-connect-browser=[A-Za-z0-9_-]{43}; Path=/; HttpOnly; Secure; ${sameSite}; Max-Age=86400$`,
          ),
        ),
      ]);
      expect(headers.get('access-control-allow-credentials')).toBe('true');
      expect(headers.get('access-control-allow-origin')).toBe(origin);
    } finally {
      await api.close();
    }
  });
});
