import { BOUND_NAMES, type BoundName, APP_BOUNDS } from '../../../domain/limits/app-bounds.js';
import type { Environment } from '../../../domain/api/environment.js';
import { UserErasureRepository } from '../../../prisma/views/users/user-erasure.repository.js';
import { runCommand } from '../../support/actors/operator.js';
import type { ApiResponse } from '../../support/services/api-client.js';
import {
  clientId,
  clientSecret,
  BANK,
  type ApiInProcess,
  type AppId,
} from '../../support/services/api-in-process.js';
import { service, token, apiOfFile } from '../../support/services/api-of-file.js';
import { AppUseRepository } from '../../../prisma/tenants/usage/app-use.repository.js';

const APP = 'pocket-ledger';
const HOOK = 'https://app.example/hooks/bank';
/** A bound from the settings. Every other bound of these tests belongs to one app. */
const ROWS = 60;

/** Another process of the API, on the same database. */
let otherProcess: Awaited<ReturnType<ApiInProcess['another']>>;
let unique = 0;

/** Starts two processes of the API for the file. */
function startBoundedApp(): void {
  afterAll(() => otherProcess?.close());
  apiOfFile({ ROWS_PER_APP: String(ROWS), SANDBOX_BANKS_IN_LIVE: 'on' });
  beforeAll(async () => {
    otherProcess = await service.another();
  });

  // Outside of the first test, an app has room for rows. A test may change every bound.
  beforeEach(async () => {
    await service.database.prisma.appLimit.deleteMany();
    await limit('rows', 1_000_000);
  });
}

interface ShownBound {
  environment: Environment;
  bound: BoundName;
  used: number;
  limit: number;
  counted: string;
  set_by: string;
}

async function operate<T>(...args: string[]): Promise<T> {
  const { status, stdout, stderr } = await runCommand([...args, '--json'], service.environment);
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as T;
}
const shown = async (app: AppId = APP) =>
  (await operate<{ bounds: ShownBound[] }>('apps', 'show', app)).bounds;

/** The same as the commands of an operator, without the start of a program. */
const used = async (bound: BoundName) =>
  (await new AppUseRepository(service.ctx).ofApp(APP)).find(
    (row) => row.bound === bound && row.environment === 'sandbox',
  )?.used ?? 0;
const limit = (bound: BoundName, max: number | 'default') =>
  new AppUseRepository(service.ctx).setLimit(
    { appId: APP, environment: 'sandbox' },
    bound,
    max === 'default' ? null : max,
  );

const rowsOf = (count: number) =>
  Array.from({ length: count }, () => ({
    account_id: 'a',
    amount: 1,
    date: '2026-02-01',
    transaction_id: `row-${(unique += 1)}`,
  }));
const importRequest = (rows: number, over: Record<string, unknown> = {}) => ({
  customer_user: { id: 'user-1' },
  institution_id: BANK,
  accounts: [{ account_id: 'a', name: 'A', type: 'checking', balances: { currency: 'USD' } }],
  transactions: rowsOf(rows),
  ...over,
});
const importLink = (
  rows: number,
  over: Record<string, unknown> = {},
  headers: Record<string, string> = {},
) => service.api.as(token).post('/links/import', { json: importRequest(rows, over), headers });
const linkIdOf = ({ body }: ApiResponse) => (body as { link_id: string }).link_id;
const deleteLink = (linkId: string) => service.api.as(token).send('DELETE', `/links/${linkId}`);
const session = (headers: Record<string, string> = {}) =>
  service.api.as(token).post('/link-session', { json: { customer_user: { id: 'u' } }, headers });
const errorIn = ({ status, body }: ApiResponse) => {
  const { error_code: code, error_message: message } = body as Record<string, unknown>;
  return { status, code, message };
};
const refusedBy = (bound: BoundName, max: number) => ({
  status: 429,
  code: 'api_error.rate_limit_exceeded',
  message: expect.stringMatching(
    new RegExp(`${max} ${APP_BOUNDS[bound].counts}.*${APP_BOUNDS[bound].setting}`),
  ) as string,
});
/** The stored amounts, under the names of the bounds. */
const stored = async () => ({
  links: await service.database.prisma.link.count({
    where: { appId: APP, environment: 'sandbox', state: { not: 'deleted' } },
  }),
  rows: await service.database.prisma.transactionVersion.count(),
  sessions: await service.database.prisma.linkSession.count(),
  events: await service.database.prisma.webhookEvent.count(),
  deliveries: await service.database.prisma.webhookDelivery.count(),
  users: await service.database.prisma.customerUser.count(),
  records: await service.database.prisma.idempotencyRecord.count(),
  tokens: await service.database.prisma.accessToken.count(),
});

/** A call that uses one unit of a bound, or a known number. */
interface Use {
  prepare?: () => Promise<unknown>;
  call: (prepared: unknown) => Promise<ApiResponse>;
  /** The units that each call uses; 1 if omitted. */
  amount?: number;
}

const hookedLink = async () => linkIdOf(await importLink(0, { webhook: HOOK }));
const testEvent = (linkId: unknown) =>
  service.api.as(token).post(`/webhooks/test/link/${String(linkId)}`, {
    json: { webhook_event: 'link.state_changed', webhook_idempotency_key: `t-${(unique += 1)}` },
  });
/** Always has the same length. */
const oneRowTransfer = () => ({
  transactions: rowsOf(1).map((row) => ({
    ...row,
    transaction_id: String((unique += 1)).padStart(9, '0'),
  })),
});

const USES: Readonly<Record<BoundName, Use>> = {
  links: { call: () => importLink(0) },
  rows: {
    prepare: async () => linkIdOf(await importLink(0)),
    call: (linkId) =>
      service.api
        .as(token)
        .post(`/links/${String(linkId)}/import/transactions`, { json: oneRowTransfer() }),
  },
  imported_bytes: {
    prepare: async () => linkIdOf(await importLink(0)),
    call: (linkId) =>
      service.api
        .as(token)
        .post(`/links/${String(linkId)}/import/transactions`, { json: oneRowTransfer() }),
    amount: JSON.stringify(oneRowTransfer()).length,
  },
  sessions: { call: () => session() },
  sandbox_calls: { call: () => session() },
  test_events: { prepare: hookedLink, call: testEvent },
  replays: {
    prepare: async () => {
      const linkId = await hookedLink();
      await testEvent(linkId);
      const { body } = await service.api
        .as(token)
        .get(`/webhooks/events?link_id=${linkId}&limit=1`);
      return (body as { events: { event_id: string }[] }).events[0]?.event_id;
    },
    call: (eventId) => service.api.as(token).post(`/webhooks/events/${String(eventId)}/replay`),
  },
  idempotency_records: { call: () => session({ 'idempotency-key': `key-${(unique += 1)}` }) },
  access_tokens: {
    call: () =>
      service.api.post('/auth/token', {
        form: { client_id: clientId(APP, 'sandbox'), client_secret: clientSecret(APP, 'sandbox') },
      }),
  },
  simplefin_tokens: {
    call: () => service.api.as(token).post(`/users/new-${(unique += 1)}/simplefin-tokens`),
  },
};

startBoundedApp();

describe('One key pair', () => {
  it('cannot grow the database past ROWS_PER_APP with imports, and can grow it again after deleting a link', async () => {
    await limit('rows', 'default');
    const answers: ApiResponse[] = [];
    for (let call = 0; call < 10; call += 1) answers.push(await importLink(10));
    expect(answers.map(({ status }) => status)).toEqual([
      ...Array.from({ length: ROWS / 10 }, () => 200),
      ...Array.from({ length: 10 - ROWS / 10 }, () => 429),
    ]);
    expect(errorIn(answers.at(-1) as ApiResponse)).toMatchObject(refusedBy('rows', ROWS));
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await stored()).toMatchObject({ links: ROWS / 10, rows: ROWS });

    await deleteLink(linkIdOf(answers[0] as ApiResponse));
    expect((await importLink(10)).status).toBe(200);
    expect((await importLink(1)).status).toBe(429);
  });

  it('leaves nothing of an import that is refused, not even its user', async () => {
    await limit('imported_bytes', 10);
    const before = await stored();
    expect((await importLink(3, { customer_user: { id: 'refused' } })).status).toBe(429);
    expect(await stored()).toEqual(before);
  });

  it('takes no room from another app', async () => {
    await limit('links', 0);
    const rival = await service.token('rival');
    const answer = await service.api.as(rival).post('/links/import', { json: importRequest(1) });
    expect(answer.status).toBe(200);
  });
});

describe.each(BOUND_NAMES)('The bound %s of an app', (bound) => {
  it('admits exactly its number, refuses the next call with 429 and its limit, and counts no refused call', async () => {
    const { prepare, call, amount = 1 } = USES[bound];
    const prepared = await prepare?.();
    const start = await used(bound);
    const max = start + 2 * amount;
    await limit(bound, max);

    const admitted = [await call(prepared), await call(prepared)];
    expect(admitted.map(({ status }) => status < 300)).toEqual([true, true]);
    const before = await stored();
    const refused = [await call(prepared), await call(prepared)];
    for (const answer of refused) {
      expect(errorIn(answer)).toMatchObject(refusedBy(bound, max));
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    expect(await stored()).toEqual(before);
    expect(await used(bound)).toBe(max);

    await limit(bound, bound === 'rows' ? 1_000_000 : 'default');
    expect((await call(prepared)).status).toBeLessThan(300);
  });
});

describe('Concurrent imports in two processes', () => {
  it('are admitted exactly up to the bound', async () => {
    const room = 5;
    await limit('links', (await used('links')) + room);
    const apis = [service.api, otherProcess.api];
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        (apis[index % 2] ?? service.api).as(token).post('/links/import', {
          json: importRequest(2, { customer_user: { id: `c${index}` } }),
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(room);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(16 - room);
  });
});

describe('A repeated request with the same Idempotency-Key', () => {
  it('is not counted again, and is served even where a first request is refused', async () => {
    const headers = { 'idempotency-key': 'import-once' };
    const request = importRequest(2);
    const post = () => service.api.as(token).post('/links/import', { json: request, headers });
    const first = await post();
    const counted = (await shown()).filter(({ bound }) => bound !== 'sandbox_calls');
    await limit('links', 0);
    await limit('idempotency_records', 0);
    const again = await post();
    expect(again).toMatchObject({ status: 200, body: first.body });
    await limit('links', 'default');
    await limit('idempotency_records', 'default');
    expect((await shown()).filter(({ bound }) => bound !== 'sandbox_calls')).toEqual(counted);
  });

  it('is a first use once the app has room again', async () => {
    const headers = { 'idempotency-key': 'import-later' };
    await limit('links', 0);
    const request = importRequest(1);
    const post = () => service.api.as(token).post('/links/import', { json: request, headers });
    const recorded = await used('idempotency_records');
    expect((await post()).status).toBe(429);
    expect(await used('idempotency_records')).toBe(recorded);
    await limit('links', 'default');
    expect((await post()).status).toBe(200);
  });
});

describe('The use of an app', () => {
  it('decreases when a user is erased', async () => {
    const before = { links: await used('links'), rows: await used('rows') };
    await importLink(4, { customer_user: { id: 'to-erase' } });
    await importLink(3, { customer_user: { id: 'to-erase' } });
    expect({ links: await used('links'), rows: await used('rows') }).toEqual({
      links: before.links + 2,
      rows: before.rows + 7,
    });
    await service.api.as(token).send('DELETE', '/users/to-erase');
    const erasures = new UserErasureRepository(service.ctx);
    const open = await service.database.prisma.userErasure.findMany({ where: { erasedAt: null } });
    for (const { erasureId } of open) while ((await erasures.advance(erasureId)) === 'more');
    expect({ links: await used('links'), rows: await used('rows') }).toEqual(before);
  });

  it('equals the stored data, after all of the tests above', async () => {
    const { links } = await stored();
    expect(await used('links')).toBe(links);
    const [{ rows } = { rows: -1 }] = await service.database.prisma.$queryRaw<{ rows: number }[]>`
      SELECT count(*)::int AS rows FROM transaction_versions v JOIN links l ON l.pk = v.link_pk WHERE l.app_id = ${APP}`;
    expect(await used('rows')).toBe(rows);
  });
});

describe('An app at its limit of links', () => {
  it('gets neither a link session of the native API nor a link token of the compatibility layer, and the error names the bound', async () => {
    const max = await used('links');
    await limit('links', max);
    expect(errorIn(await session())).toMatchObject(refusedBy('links', max));
    const response = await fetch(`${service.api.baseUrl}/link/token/create`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_id: clientId(APP, 'sandbox'),
        secret: clientSecret(APP, 'sandbox'),
        client_name: 'App',
        language: 'en',
        country_codes: ['US'],
        products: ['transactions'],
        user: { client_user_id: 'user-1' },
      }),
    });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await response.json()).toMatchObject({
      error_type: 'RATE_LIMIT_EXCEEDED',
      error_code: 'RATE_LIMIT',
      error_message: expect.stringContaining(`${max} links`) as string,
    });
  });
});

describe('custom_sandbox_data', () => {
  it('counts toward IMPORTED_BYTES_PER_DAY', async () => {
    const create = () =>
      service.api.as(token).post('/link-session', {
        json: {
          customer_user: { id: 'u' },
          custom_sandbox_data: {
            accounts: [
              { account_type: 'depository.checking', name: 'A', account_number: '100020001101' },
            ],
          },
        },
      });
    const before = await used('imported_bytes');
    expect((await create()).status).toBe(201);
    const after = await used('imported_bytes');
    expect(after).toBeGreaterThan(before);
    await limit('imported_bytes', after);
    expect(errorIn(await create())).toMatchObject(refusedBy('imported_bytes', after));
  });
});

describe('apps show', () => {
  it('lists every bound of both environments with its use, its limit and the origin of the limit', async () => {
    await operate('apps', 'limit', APP, 'sandbox', 'links', '7000');
    const bounds = await shown();
    expect(bounds.map(({ environment, bound }) => `${environment} ${bound}`)).toEqual(
      ['sandbox', 'live'].flatMap((environment) =>
        BOUND_NAMES.map((bound) => `${environment} ${bound}`),
      ),
    );
    const of = (environment: Environment, bound: BoundName) =>
      bounds.find((row) => row.environment === environment && row.bound === bound);
    expect(of('sandbox', 'links')).toMatchObject({
      limit: 7_000,
      counted: 'now',
      set_by: 'apps limit',
    });
    expect(of('live', 'links')).toMatchObject({
      used: 0,
      limit: 1_000_000,
      set_by: 'LINKS_PER_APP',
    });
    expect(of('live', 'rows')).toMatchObject({ limit: ROWS });
    const { stdout } = await runCommand(['apps', 'show', APP], service.environment);
    expect(stdout).toMatch(/sandbox\s+links\s+\d+\s+7000\s+now\s+apps limit/);
  });

  it('fails for an app that does not exist', async () => {
    expect(await runCommand(['apps', 'show', 'unknown-app'], service.environment)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('There is no app unknown-app.') as string,
    });
  });
});
