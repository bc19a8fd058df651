import { randomUUID } from 'node:crypto';
import { errorOf, type ApiRequest } from '../../support/services/api-client.js';
import {
  connectedLink,
  forceLink,
  startApiInProcess,
  type ApiInProcess,
} from '../../support/services/api-in-process.js';
import { storedRows } from '../../support/assertions/stored-rows.js';

let service: ApiInProcess;
let token: string;
let live: string;

beforeAll(async () => {
  service = await startApiInProcess({ SANDBOX_BANKS_IN_LIVE: 'on' });
  await service.database.prisma.application.update({
    where: { appId: 'pocket-ledger' },
    data: { pageOrigins: ['https://app.example'] },
  });
  [token, live] = await Promise.all([
    service.token('pocket-ledger'),
    service.token('pocket-ledger', 'live'),
  ]);
});

afterAll(async () => {
  await service?.close();
});

const ask = (linkId: string, json: unknown, request: ApiRequest = {}, bearer = token) =>
  service.api.as(bearer).send('POST', `/links/${linkId}/products`, { json, ...request });
/** One link for all requests that change nothing. */
let refusing: Promise<string> | undefined;
const linkThatRefuses = () => (refusing ??= connectedLink(service, token));
const both = { products: ['accounts', 'transactions'] };
const linkPk = async (linkId: string) =>
  (await service.database.prisma.link.findUniqueOrThrow({ where: { linkId } })).pk;
const requestsOf = async (linkId: string) =>
  (
    await service.database.prisma.refreshRequest.findMany({
      where: { linkPk: await linkPk(linkId), cause: 'on_demand' },
      orderBy: { pk: 'asc' },
    })
  ).map(({ product }) => product);
const commandsOf = async (linkId: string) =>
  (
    await service.database.prisma.outboxCommand.findMany({ where: { kind: 'startProductRefresh' } })
  ).filter(({ payload }) => (payload as { linkId: string }).linkId === linkId).length;
/** Simulates that this much time has passed since the last request. */
const passed = async (linkId: string, product: string, ms: number) => {
  const where = { linkPk_product: { linkPk: await linkPk(linkId), product } };
  const { requestedAt } = await service.database.prisma.linkProduct.findUniqueOrThrow({ where });
  await service.database.prisma.linkProduct.update({
    where,
    data: { requestedAt: new Date(Number(requestedAt) - ms) },
  });
};

describe('POST /links/{id}/products', () => {
  it('accepts the request without Temporal, and returns 202 with the link', async () => {
    const linkId = await connectedLink(service, token);
    const before = await commandsOf(linkId);
    const response = await ask(linkId, both);
    expect(response.status).toBe(202);
    expect(response.body).toMatchObject({
      link_id: linkId,
      state: 'connected',
      products: { accounts: {}, transactions: {} },
    });
    expect(await requestsOf(linkId)).toEqual(['accounts', 'transactions']);
    expect(await commandsOf(linkId)).toBe(before + 1);
  });

  it('has no limits in Sandbox, where repeated requests are merged', async () => {
    const linkId = await connectedLink(service, token);
    for (let times = 0; times < 3; times += 1) expect((await ask(linkId, both)).status).toBe(202);
  });

  it('enforces limits in a world created with them, by the clock of the world', async () => {
    const linkId = await connectedLink(service, token);
    const world = { appId: 'pocket-ledger', worldId: 'wld_limited' };
    const { prisma } = service.database;
    await prisma.sandboxWorld.create({
      data: {
        ...world,
        sourceRef: randomUUID(),
        name: 'limited',
        seed: 7,
        now: new Date('2026-03-02T10:00:00Z'),
        enforceRefreshLimits: true,
      },
    });
    await prisma.link.update({ where: { linkId }, data: { worldId: world.worldId } });
    expect((await ask(linkId, both)).status).toBe(202);
    const refused = await ask(linkId, both);
    expect({ status: refused.status, retryAfter: refused.headers.get('retry-after') }).toEqual({
      status: 429,
      retryAfter: '3600',
    });
    await prisma.sandboxWorld.update({
      where: { appId_worldId: world },
      data: { now: new Date('2026-03-02T11:00:00Z') },
    });
    expect((await ask(linkId, both)).status).toBe(202);
  });

  it('takes effect once for one idempotency key', async () => {
    const linkId = await connectedLink(service, token);
    const headers = { 'idempotency-key': randomUUID() };
    const [first, again] = [
      await ask(linkId, both, { headers }),
      await ask(linkId, both, { headers }),
    ];
    expect({
      firstStatus: first.status,
      againStatus: again.status,
      idempotencyReplayed: again.headers.get('idempotency-replayed'),
    }).toEqual({ firstStatus: 202, againStatus: 202, idempotencyReplayed: 'true' });
    expect(again.body).toEqual(first.body);
    expect(await requestsOf(linkId)).toHaveLength(2);
  });

  // native-api 1.3: the first failing check decides
  it.each<[title: string, json: unknown, status: number, code: string, locations: string[]]>([
    ['a missing body', undefined, 422, 'api_error.request.validation_failed', ['body']],
    ['missing products', {}, 422, 'api_error.request.validation_failed', ['body.products']],
    [
      'an empty list of products',
      { products: [] },
      422,
      'api_error.request.validation_failed',
      ['body.products'],
    ],
    [
      'a string instead of an array',
      { products: 'transactions' },
      422,
      'api_error.request.validation_failed',
      ['body.products'],
    ],
    [
      'an unknown product',
      { products: ['transactions', 'enrichment'] },
      422,
      'api_error.request.validation_failed',
      ['body.products.1'],
    ],
    [
      'a product twice',
      { products: ['transactions', 'transactions'] },
      422,
      'api_error.request.validation_failed',
      ['body.products.1'],
    ],
    [
      'a product that is not granted',
      { products: ['transactions', 'identity'] },
      403,
      'link_error.forbidden_action',
      [],
    ],
  ])('refuses %s', async (_title, json, status, code, locations) => {
    const linkId = await linkThatRefuses();
    const before = await storedRows(service.database.pool);
    expect(errorOf(await ask(linkId, json))).toEqual({ status, code, locations });
    expect(await storedRows(service.database.pool)).toEqual(before);
  });

  it('refuses other apps, unknown links and read-only tokens', async () => {
    const linkId = await connectedLink(service, token);
    expect(errorOf(await ask('mk_unknown', both))).toMatchObject({
      status: 404,
      code: 'link_error.not_found',
    });
    expect(errorOf(await ask(linkId, both, {}, await service.token('rival')))).toMatchObject({
      status: 401,
      code: 'link_error.unauthorized_access',
    });
    expect(
      errorOf(
        await ask(
          linkId,
          both,
          {},
          await service.token('pocket-ledger', 'sandbox', 'products:read'),
        ),
      ),
    ).toMatchObject({ status: 401, code: 'api_error.auth.unauthorized' });
    // the state is checked after the granted products
    await forceLink(service, linkId, { state: 'error', errorCode: 'auth_expired' });
    expect(errorOf(await ask(linkId, { products: ['identity'] }))).toMatchObject({ status: 403 });
  });

  // link-lifecycle 6.5
  it.each<
    [
      state: string,
      errorCode: string | null,
      everConnected: boolean,
      status: number,
      linkErrorCode: string | undefined,
    ]
  >([
    ['connecting', null, false, 422, 'connecting'],
    ['awaiting_token_exchange', null, false, 422, 'awaiting_token_exchange'],
    ['connected', null, true, 202, undefined],
    ['error', 'institution_error', false, 422, 'institution_error'],
    ['error', 'user_error', false, 422, 'user_error'],
    ['error', 'institution_error', true, 202, undefined],
    ['error', 'provider_error', true, 202, undefined],
    ['error', 'system_error', true, 202, undefined],
    ['error', 'auth_expired', true, 422, 'auth_expired'],
    ['error', 'user_error', true, 422, 'user_error'],
    ['error', 'incomplete', true, 422, 'incomplete'],
    ['deleted', null, true, 410, undefined],
  ])(
    'for a link in state %s %s, connected before: %s, returns %i',
    async (state, errorCode, everConnected, status, linkErrorCode) => {
      const linkId = status === 202 ? await connectedLink(service, token) : await linkThatRefuses();
      const before = (await requestsOf(linkId)).length;
      await forceLink(service, linkId, {
        state,
        errorCode,
        connectedAt: everConnected ? new Date() : null,
        deletedAt: state === 'deleted' ? new Date() : null,
      });
      const response = await ask(linkId, both);
      expect(response.status).toBe(status);
      expect((response.body as { link_error_code?: string }).link_error_code).toBe(linkErrorCode);
      expect(await requestsOf(linkId)).toHaveLength(before + (status === 202 ? 2 : 0));
    },
  );

  describe('in Live', () => {
    const link = () => connectedLink(service, live, { settings: { products: ['transactions'] } });
    const askLive = (linkId: string, ...products: string[]) => ask(linkId, { products }, {}, live);

    it('accepts a product once in its window, which starts with the accepted request', async () => {
      const linkId = await link();
      expect((await askLive(linkId, 'transactions')).status).toBe(202);
      await passed(linkId, 'transactions', 3_000_000);
      const refused = await askLive(linkId, 'transactions');
      expect(errorOf(refused)).toMatchObject({
        status: 429,
        code: 'api_error.rate_limit_exceeded',
      });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(300);
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(600);
      // another product has its own window, and a refusal starts none
      expect((await askLive(linkId, 'accounts')).status).toBe(202);
      await passed(linkId, 'transactions', 601_000);
      expect((await askLive(linkId, 'transactions')).status).toBe(202);
    });

    it('starts nothing when one of several products is over its limit', async () => {
      const linkId = await link();
      await askLive(linkId, 'transactions');
      expect((await askLive(linkId, 'accounts', 'transactions')).status).toBe(429);
      expect(await requestsOf(linkId)).toEqual(['transactions']);
      expect((await askLive(linkId, 'accounts')).status).toBe(202);
    });

    // native-api 1.3: the limit is checked last
    it('reports that a link needs its owner before it reports the limit', async () => {
      const linkId = await link();
      await askLive(linkId, 'transactions');
      expect((await askLive(linkId, 'transactions', 'identity')).status).toBe(403);
      await forceLink(service, linkId, { state: 'error', errorCode: 'auth_expired' });
      expect(errorOf(await askLive(linkId, 'transactions'))).toMatchObject({
        status: 422,
        code: 'link_error.bad_state',
      });
    });

    it('accepts one of many concurrent requests', async () => {
      const linkId = await link();
      const statuses = (
        await Promise.all(Array.from({ length: 8 }, () => askLive(linkId, 'transactions')))
      )
        .map(({ status }) => status)
        .sort();
      expect(statuses).toEqual([202, ...Array.from({ length: 7 }, () => 429)]);
      expect(await requestsOf(linkId)).toEqual(['transactions']);
    });

    it('stores no refusal for an idempotency key', async () => {
      const linkId = await link();
      await askLive(linkId, 'transactions');
      const headers = { 'idempotency-key': randomUUID() };
      expect((await ask(linkId, { products: ['transactions'] }, { headers }, live)).status).toBe(
        429,
      );
      await passed(linkId, 'transactions', 3_601_000);
      expect((await ask(linkId, { products: ['transactions'] }, { headers }, live)).status).toBe(
        202,
      );
    });
  });
});
