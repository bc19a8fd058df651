import { errorOf, type ApiResponse, type ApiRequest } from '../../support/services/api-client.js';
import {
  BANK,
  connectedLink,
  forceLink,
  startApiInProcess,
  type ApiInProcess,
} from '../../support/services/api-in-process.js';

const HOOK = 'https://app.example/hooks/bank';

let service: ApiInProcess;
let token: string;

beforeAll(async () => {
  service = await startApiInProcess({ SANDBOX_BANKS_IN_LIVE: 'on', RATE_LIMIT_API: 'off' });
  token = await service.token('pocket-ledger');
});

afterAll(async () => {
  await service?.close();
});

interface LinkBody {
  link_id: string;
  state: string;
  error_code: string | null;
  products: Record<string, { refreshed_at: string | null; last_attempted_at: string | null }>;
  [field: string]: unknown;
}

const CHECKING = {
  account_id: 'acct/1',
  name: 'My checking',
  type: 'Checking Account',
  balances: { currency: 'USD', available: 2210.52, current: '2350.10' },
  mask: '****1101',
  nickname: 'Daily',
};
const SAVINGS = {
  account_id: 'acct-2',
  name: 'My savings',
  type: 'savings',
  balances: { currency: 'EUR' },
};
const COFFEE = {
  account_id: 'acct/1',
  amount: '-4.50',
  date: '2026-02-01',
  transaction_id: 'row 1',
  description: 'Corner Cafe',
  type: 'food_and_drink.coffee_shops',
};
const WAGES = {
  account_id: 'acct-2',
  amount: 1234.56,
  date: '2026-02-03T09:12:00',
  description: 'Employer',
};

const request = (over: Record<string, unknown> = {}) => ({
  customer_user: { id: 'user-4711' },
  institution_id: BANK,
  accounts: [CHECKING, SAVINGS],
  ...over,
});
const send = (method: string, path: string, asked: ApiRequest = {}) =>
  service.api.as(token).send(method, path, asked);
const importLink = (over: Record<string, unknown> = {}, asked: ApiRequest = {}) =>
  send('POST', '/links/import', { json: request(over), ...asked });
const importRows = (linkId: string, transactions: unknown, asked: ApiRequest = {}) =>
  send('POST', `/links/${linkId}/import/transactions`, { json: { transactions }, ...asked });
const bodyOf = ({ body }: ApiResponse) => body as LinkBody;
const imported = async (over: Record<string, unknown> = {}) =>
  bodyOf(await importLink(over)).link_id;
const read = async <T>(linkId: string, what: string) =>
  (await send('GET', `/links/${linkId}/${what}`)).body as T;
const accountsOf = async (linkId: string) =>
  (await read<{ accounts: Record<string, unknown>[] }>(linkId, 'accounts')).accounts;
const rowsOf = async (linkId: string) =>
  (
    await read<{ transactions: Record<string, unknown>[] }>(
      linkId,
      'transactions?start_date=1900-01-01&size=1000',
    )
  ).transactions;
const announced = async (linkId: string) =>
  (
    await service.database.prisma.webhookEvent.findMany({
      where: { linkId },
      include: { deliveries: true },
    })
  ).map(({ body, deliveries }) => [JSON.parse(body), deliveries[0]?.url] as const);

describe('POST /links/import', () => {
  it('creates a link that requires a login and whose data can all be read', async () => {
    const response = await importLink({
      transactions: [COFFEE, WAGES],
      webhook: HOOK,
      tags: ['from:elsewhere'],
    });
    expect(response.status).toBe(200);
    const link = bodyOf(response);
    expect(link).toMatchObject({
      link_id: expect.stringMatching(/^mk_/),
      institution_id: BANK,
      provider: 'import',
      state: 'error',
      error_code: 'auth_expired',
      error_message: expect.any(String),
      tags: ['from:elsewhere'],
      link_tags: ['from:elsewhere'],
      webhook: HOOK,
      last_synced_at: expect.any(String),
      available_products: [],
      products: {
        accounts: { refreshed_at: expect.any(String), last_attempted_at: null, error_code: null },
        transactions: { refreshed_at: expect.any(String), has_history: false },
      },
    });
    expect(await accountsOf(link.link_id)).toEqual([
      {
        account_id: expect.stringMatching(/^acc_/),
        account_type: 'depository.checking',
        name: 'My checking',
        nickname: 'Daily',
        account_mask: '1101',
        closed: false,
        missing_since: null,
        original_id: 'acct/1',
        balances: {
          currency: 'USD',
          available: 2210.52,
          current: 2350.1,
          limit: null,
          balance_date: null,
        },
      },
      {
        account_id: expect.any(String),
        account_type: 'depository.savings',
        name: 'My savings',
        nickname: null,
        account_mask: null,
        closed: false,
        missing_since: null,
        original_id: 'acct-2',
        balances: {
          currency: 'EUR',
          available: null,
          current: null,
          limit: null,
          balance_date: null,
        },
      },
    ]);
    const [checking, savings] = (await accountsOf(link.link_id)).map(({ account_id: id }) => id);
    expect(await rowsOf(link.link_id)).toEqual([
      {
        transaction_id: expect.stringMatching(/^txn_/),
        account_id: savings,
        amount: 1234.56,
        type: 'credit',
        currency: 'EUR',
        date: '2026-02-03T00:00:00',
        datetime: '2026-02-03T09:12:00.000',
        description: 'Employer',
        raw_description: null,
        pending: false,
        category: null,
        original_id: null,
      },
      {
        transaction_id: expect.any(String),
        account_id: checking,
        amount: 4.5,
        type: 'debit',
        currency: 'USD',
        date: '2026-02-01T00:00:00',
        datetime: null,
        description: 'Corner Cafe',
        raw_description: null,
        pending: false,
        category: 'food_and_drink.coffee_shops',
        original_id: 'row 1',
      },
    ]);
    const sync = await read<{ transactions: { created: unknown[] }; has_more: boolean }>(
      link.link_id,
      'transactions/sync',
    );
    expect({ created: sync.transactions.created.length, has_more: sync.has_more }).toEqual({
      created: 2,
      has_more: false,
    });
  });

  it('announces the link once, in its final state', async () => {
    const linkId = await imported({ webhook: HOOK, tags: ['a'], transactions: [COFFEE] });
    expect(await announced(linkId)).toEqual([
      [
        expect.objectContaining({
          webhook_event: 'link.state_changed',
          state: 'error',
          error: 'auth_expired',
          link_tags: ['a'],
        }),
        HOOK,
      ],
    ]);
    expect(await announced(await imported())).toEqual([
      [expect.objectContaining({ state: 'error' }), null],
    ]);
  });

  it('has no transactions without rows, and gets them when rows are imported later', async () => {
    const linkId = await imported();
    expect(Object.keys(bodyOf(await send('GET', `/links/${linkId}`)).products)).toEqual([
      'accounts',
    ]);
    expect(errorOf(await send('GET', `/links/${linkId}/transactions`))).toMatchObject({
      status: 403,
      code: 'link_error.forbidden_action',
    });
    expect(Object.keys(bodyOf(await importRows(linkId, [COFFEE])).products)).toEqual([
      'accounts',
      'transactions',
    ]);
    expect(await rowsOf(linkId)).toHaveLength(1);
  });

  it.each([
    [BANK, undefined, { institution_id: BANK, provider: 'import' }],
    ['instant', undefined, { institution_id: BANK, provider: 'import' }],
    [BANK, 'sandbox', { institution_id: BANK, provider: 'sandbox' }],
    [BANK, 'import', { institution_id: BANK, provider: 'import' }],
    [BANK, null, { institution_id: BANK, provider: 'import' }],
    [`sandbox.${BANK}`, undefined, { institution_id: BANK, provider: 'sandbox' }],
    [`sandbox.${BANK}`, 'import', { institution_id: BANK, provider: 'import' }],
  ])('accepts the institution %s of provider %s', async (institutionId, provider, expected) => {
    expect(bodyOf(await importLink({ institution_id: institutionId, provider }))).toMatchObject(
      expected,
    );
  });

  it.each([
    ['no configuration has', BANK, 'elsewhere'],
    ['has no route to the institution', BANK, 'other-source'],
    ['has no route to the institution of another provider', `sandbox.${BANK}`, 'other-source'],
    ['is spelled in another way', BANK, 'Sandbox'],
  ])('refuses a provider that %s, and stores nothing', async (_what, institutionId, provider) => {
    const { prisma } = service.database;
    await prisma.providerConfiguration.upsert({
      where: { name: 'other-source' },
      create: {
        name: 'other-source',
        adapter: 'simplefin',
        environment: 'sandbox',
        settings: {},
        enabled: false,
      },
      update: {},
    });
    const user = { id: `user-of-${provider}` };
    const refused = await importLink({
      institution_id: institutionId,
      provider,
      customer_user: user,
      transactions: [COFFEE],
    });
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({
      error_code: 'api_error.request.validation_failed',
      validation_errors: [
        {
          location: ['body', 'provider'],
          message: 'The institution has no route through this provider.',
        },
      ],
    });
    expect(await prisma.link.count({ where: { provider } })).toBe(0);
    expect(await prisma.customerUser.count({ where: { userId: user.id } })).toBe(0);
  });

  it.each(['no-such-bank', 'live-bank', `elsewhere.${BANK}`, 'sandbox.', '.'])(
    'refuses the unknown institution %s',
    async (institutionId) => {
      expect(errorOf(await importLink({ institution_id: institutionId }))).toMatchObject({
        status: 404,
        code: 'institution_error.not_found',
      });
    },
  );

  it.each<[string, string]>([
    ['depository.checking', 'depository.checking'],
    ['DEPOSITORY.MONEY_MARKET', 'depository.money_market'],
    ['Money Market', 'depository.money_market'],
    ['credit_card', 'liability.credit_card'],
    ['loan.general', 'liability.loan'],
    ['loan.mortgage', 'liability.mortgage'],
    ['loan.other', 'liability.other'],
    ['investment', 'investment.other'],
    ['other', 'other.other'],
    ['Credit Card', 'liability.credit_card'],
    ['401k', 'investment.retirement'],
    ['something else', 'unknown'],
    ['unknown', 'unknown'],
  ])('reads the account type %s as %s', async (type, expected) => {
    expect(await accountsOf(await imported({ accounts: [{ ...CHECKING, type }] }))).toMatchObject([
      { account_type: expected },
    ]);
  });

  it.each<[string, unknown, Record<string, unknown>]>([
    ['an amount of zero', 0, { amount: 0, type: 'credit' }],
    ['an amount of minus zero', '-0.00', { amount: 0, type: 'credit' }],
    [
      'an amount with more digits than a number holds',
      '-123456789012345678.1234567891',
      { type: 'debit' },
    ],
  ])('derives the direction of %s', async (_what, amount, expected) => {
    const linkId = await imported({ transactions: [{ ...COFFEE, amount }] });
    expect(await rowsOf(linkId)).toMatchObject([expected]);
    const [stored] = await service.database.prisma.transactionVersion.findMany({
      where: { transactionId: String((await rowsOf(linkId))[0]?.['transaction_id']) },
    });
    expect(stored?.amount.toFixed()).toBe(
      String(amount)
        .replace(/^-/, '')
        .replace(/^0\.00$/, '0'),
    );
  });

  it.each<[string, Record<string, unknown>, (string | number)[], string]>([
    ['a missing user', { customer_user: undefined }, ['body', 'customer_user'], 'missing'],
    ['a missing institution', { institution_id: undefined }, ['body', 'institution_id'], 'missing'],
    ['missing accounts', { accounts: undefined }, ['body', 'accounts'], 'missing'],
    ['an empty list of accounts', { accounts: [] }, ['body', 'accounts'], 'too_small'],
    [
      'an account without balances',
      { accounts: [{ ...CHECKING, balances: undefined }] },
      ['body', 'accounts', 0, 'balances'],
      'missing',
    ],
    [
      'an account without type',
      { accounts: [CHECKING, { ...SAVINGS, type: undefined }] },
      ['body', 'accounts', 1, 'type'],
      'missing',
    ],
    [
      'a currency in lower case',
      { accounts: [{ ...CHECKING, balances: { currency: 'usd' } }] },
      ['body', 'accounts', 0, 'balances', 'currency'],
      'invalid_format',
    ],
    [
      'a balance that is not a number',
      { accounts: [{ ...CHECKING, balances: { currency: 'USD', current: 'much' } }] },
      ['body', 'accounts', 0, 'balances', 'current'],
      'invalid',
    ],
    [
      'an account twice',
      { accounts: [CHECKING, SAVINGS, CHECKING] },
      ['body', 'accounts', 2, 'account_id'],
      'invalid',
    ],
    [
      'a row of no account',
      { transactions: [COFFEE, { ...WAGES, account_id: 'no_one' }] },
      ['body', 'transactions', 1, 'account_id'],
      'invalid',
    ],
    [
      'a row without amount',
      { transactions: [{ ...COFFEE, amount: undefined }] },
      ['body', 'transactions', 0, 'amount'],
      'missing',
    ],
    [
      'an amount that is a list',
      { transactions: [{ ...COFFEE, amount: [1] }] },
      ['body', 'transactions', 0, 'amount'],
      'invalid_type',
    ],
    [
      'an amount in exponent form',
      { transactions: [{ ...COFFEE, amount: '1e3' }] },
      ['body', 'transactions', 0, 'amount'],
      'invalid',
    ],
    [
      'an amount beyond measure',
      { transactions: [{ ...COFFEE, amount: 1e300 }] },
      ['body', 'transactions', 0, 'amount'],
      'invalid',
    ],
    [
      'a day that does not exist',
      { transactions: [{ ...COFFEE, date: '2026-02-30' }] },
      ['body', 'transactions', 0, 'date'],
      'invalid',
    ],
    [
      'an hour that does not exist',
      { transactions: [{ ...COFFEE, date: '2026-02-03T25:00:00' }] },
      ['body', 'transactions', 0, 'date'],
      'invalid',
    ],
    [
      'an address that may not receive',
      { webhook: 'http://10.0.0.1/hook' },
      ['body', 'webhook'],
      'address_refused',
    ],
    ['a bad tag', { tags: ['-x'] }, ['body', 'tags', 0], 'invalid'],
  ])('refuses %s, and stores nothing', async (_what, over, location, type) => {
    const before = await service.database.prisma.link.count();
    const { body, status } = await importLink(over);
    expect({ status, body }).toEqual({
      status: 422,
      body: expect.objectContaining({
        error_code: 'api_error.request.validation_failed',
        validation_errors: [expect.objectContaining({ location, type })],
      }),
    });
    expect(await service.database.prisma.link.count()).toBe(before);
  });

  it('stores nothing when the database fails in the middle', async () => {
    const { prisma } = service.database;
    await prisma.$executeRawUnsafe(
      "ALTER TABLE transaction_versions ADD CONSTRAINT no_elephants CHECK (position('Elephant' in body) = 0)",
    );
    const [links, events, users] = await Promise.all([
      prisma.link.count(),
      prisma.webhookEvent.count(),
      prisma.customerUser.count(),
    ]);
    const rows = Array.from({ length: 1_500 }, (_, index) => ({
      ...COFFEE,
      transaction_id: `r${index}`,
      description: index === 1_400 ? 'Elephant' : 'Cafe',
    }));
    expect(
      (await importLink({ customer_user: { id: 'no_one-yet' }, transactions: rows })).status,
    ).toBe(500);
    await prisma.$executeRawUnsafe('ALTER TABLE transaction_versions DROP CONSTRAINT no_elephants');
    expect(
      await Promise.all([
        prisma.link.count(),
        prisma.webhookEvent.count(),
        prisma.customerUser.count(),
      ]),
    ).toEqual([links, events, users]);
  });

  it('stores any import of up to 1 MB within 10 seconds, and refuses larger ones', async () => {
    const rows = Array.from({ length: 4_000 }, (_, index) => ({
      account_id: 'acct/1',
      amount: `-${index}.01`,
      date: `2025-${String(1 + (index % 12)).padStart(2, '0')}-15`,
      transaction_id: `row-${index}`,
      description: `Purchase number ${index}`,
      type: 'shopping.other',
    }));
    const importRowsOnce = async () => {
      const began = Date.now();
      const response = await importLink({ transactions: rows });
      expect(response.status).toBe(200);
      return { response, took: Date.now() - began };
    };
    let { response, took } = await importRowsOnce();
    // A busy computer may be slow at times.
    for (let times = 1; times < 4 && took >= 10_000; times += 1)
      ({ response, took } = await importRowsOnce());
    expect(took).toBeLessThan(10_000);
    expect(
      (
        await read<{ total: number }>(
          bodyOf(response).link_id,
          'transactions?start_date=1900-01-01&size=1',
        )
      ).total,
    ).toBe(4_000);
    const large = await importLink({
      transactions: rows.map((row) => ({ ...row, description: 'x'.repeat(400) })),
    });
    expect(errorOf(large)).toMatchObject({ status: 413, code: 'api_error.request.too_large' });
  });

  it('returns the same link for the same idempotency key', async () => {
    const once = (over: Record<string, unknown> = {}) =>
      importLink(
        { transactions: [COFFEE], ...over },
        { headers: { 'idempotency-key': 'import-1' } },
      );
    const [first, again, other] = [await once(), await once(), await once({ tags: ['other'] })];
    expect({
      firstStatus: first.status,
      againStatus: again.status,
      otherStatus: other.status,
    }).toEqual({ firstStatus: 200, againStatus: 200, otherStatus: 422 });
    expect(bodyOf(again).link_id).toBe(bodyOf(first).link_id);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it('requires the scope links:write', async () => {
    const narrow = await service.token('pocket-ledger', 'sandbox', 'links:read');
    expect(
      errorOf(await send('POST', '/links/import', { json: request(), token: narrow })),
    ).toMatchObject({ status: 401 });
  });

  it('counts a Live link toward the trial limit until it is deleted', async () => {
    const live = await service.token('rival', 'live');
    const liveImport = () => service.api.as(live).post('/links/import', { json: request() });
    const links = await Promise.all(Array.from({ length: 12 }, liveImport));
    const taken = links.filter(({ status }) => status === 200);
    expect(taken).toHaveLength(10);
    expect(links.filter(({ status }) => status !== 200).map(errorOf)).toEqual(
      Array(2).fill(
        expect.objectContaining({ status: 403, code: 'link_session_error.forbidden_config' }),
      ),
    );
    const [first] = taken;
    expect(
      (
        await service.api
          .as(live)
          .delete(`/links/${first === undefined ? '' : bodyOf(first).link_id}`)
      ).status,
    ).toBe(204);
    expect((await liveImport()).status).toBe(200);
  });

  it('creates a link that is listed, and that belongs to its app only', async () => {
    const linkId = await imported();
    const list = await send('GET', '/links?limit=5000');
    expect(
      (list.body as { links: { link_id: string }[] }).links.map((link) => link.link_id),
    ).toContain(linkId);
    const rival = await service.token('rival');
    expect(errorOf(await service.api.as(rival).get(`/links/${linkId}`))).toMatchObject({
      status: 401,
      code: 'link_error.unauthorized_access',
    });
    expect(
      errorOf(
        await service.api
          .as(rival)
          .post(`/links/${linkId}/import/transactions`, { json: { transactions: [COFFEE] } }),
      ),
    ).toMatchObject({ status: 401, code: 'link_error.unauthorized_access' });
  });
});

describe('POST /links/{id}/import/transactions', () => {
  it('adds transactions, and updates those whose id the account already has', async () => {
    const linkId = await imported({ transactions: [COFFEE] });
    const [before] = await rowsOf(linkId);
    const response = await importRows(linkId, [
      { ...COFFEE, amount: '-5.25', date: '2026-02-02' },
      { ...COFFEE, account_id: 'acct-2' },
      WAGES,
    ]);
    expect({ status: response.status, link_id: bodyOf(response).link_id }).toEqual({
      status: 200,
      link_id: linkId,
    });
    const rows = await rowsOf(linkId);
    expect(rows).toHaveLength(3);
    expect(rows.find(({ transaction_id: id }) => id === before?.['transaction_id'])).toMatchObject({
      amount: 5.25,
      date: '2026-02-02T00:00:00',
      original_id: 'row 1',
      account_id: before?.['account_id'],
    });
    await importRows(linkId, [{ ...COFFEE, amount: '-5.25', date: '2026-02-02' }]);
    expect(await rowsOf(linkId)).toEqual(rows);
  });

  it('stores all rows or none', async () => {
    const linkId = await imported();
    const { body } = await importRows(linkId, [
      COFFEE,
      { ...WAGES, account_id: 'no_one' },
      { ...COFFEE, account_id: 'neither' },
    ]);
    expect(body).toMatchObject({
      error_code: 'api_error.request.validation_failed',
      validation_errors: [
        { location: ['body', 'transactions', 1, 'account_id'] },
        { location: ['body', 'transactions', 2, 'account_id'] },
      ],
    });
    expect(Object.keys(bodyOf(await send('GET', `/links/${linkId}`)).products)).toEqual([
      'accounts',
    ]);
  });

  it('sends no webhook', async () => {
    const linkId = await imported({ webhook: HOOK });
    await importRows(linkId, [COFFEE]);
    expect(await announced(linkId)).toHaveLength(1);
  });

  it.each<[string, () => Promise<string>, number, string]>([
    ['an unknown', async () => 'mk_nobody', 404, 'link_error.not_found'],
    [
      'a deleted',
      async () => {
        const linkId = await imported();
        await send('DELETE', `/links/${linkId}`);
        return linkId;
      },
      410,
      'link_error.deleted',
    ],
    ['a linked', () => connectedLink(service, token), 403, 'link_error.forbidden_action'],
    [
      'a reconnected',
      async () => {
        const linkId = await imported();
        const { pk } = await service.database.prisma.link.findUniqueOrThrow({ where: { linkId } });
        await service.database.prisma.providerCredential.create({
          data: { linkPk: pk, provider: 'sandbox', reference: 'conn_9', sealed: Buffer.from('x') },
        });
        await forceLink(service, linkId, { state: 'connected', errorCode: null });
        return linkId;
      },
      422,
      'link_error.bad_state',
    ],
  ])('refuses rows for %s link', async (_whose, link, status, code) => {
    expect(errorOf(await importRows(await link(), [COFFEE]))).toMatchObject({ status, code });
  });

  it.each([
    [undefined, 'missing'],
    [[], 'too_small'],
  ])('refuses %j as rows', async (transactions, type) => {
    const { body } = await importRows(await imported(), transactions);
    expect(body).toMatchObject({
      validation_errors: [{ location: ['body', 'transactions'], type }],
    });
  });
});

/** link-lifecycle 6.5, column "error, connected before or imported". */
describe('An imported link', () => {
  it.each<[string, string, string, unknown, number, string | null]>([
    ['GET', '', '', undefined, 200, null],
    ['PATCH', '', '', { tags: ['a'] }, 200, null],
    ['GET', '/accounts', '', undefined, 200, null],
    ['GET', '/transactions', '', undefined, 200, null],
    ['GET', '/transactions/sync', '', undefined, 200, null],
    ['GET', '/identity', '', undefined, 403, 'link_error.forbidden_action'],
    ['POST', '/products', '', { products: ['accounts'] }, 422, 'link_error.bad_state'],
    ['POST', '/reset', '', undefined, 200, null],
    ['DELETE', '', '', undefined, 204, null],
  ])(
    'responds to %s %s as link-lifecycle defines',
    async (method, path, _query, json, status, code) => {
      const linkId = await imported({ transactions: [COFFEE] });
      const response = await send(
        method,
        `/links/${linkId}${path}`,
        json === undefined ? {} : { json },
      );
      expect(response.status).toBe(status);
      if (code !== null) expect(errorOf(response)).toMatchObject({ code });
    },
  );

  it('can be named in a new session', async () => {
    const linkId = await imported();
    expect(
      (
        await send('POST', '/link-session', {
          json: { customer_user: { id: 'x' }, existing_link_id: linkId },
        })
      ).status,
    ).toBe(201);
  });

  it('refuses reads of a product that was never fetched', async () => {
    const linkId = await imported();
    const { pk } = await service.database.prisma.link.findUniqueOrThrow({ where: { linkId } });
    await service.database.prisma.linkProduct.create({
      data: {
        linkPk: pk,
        product: 'transactions',
        position: 3,
        required: false,
        prefetch: false,
        requirePermission: false,
        extendHistory: false,
      },
    });
    expect(errorOf(await send('GET', `/links/${linkId}/transactions`))).toMatchObject({
      status: 422,
      code: 'link_error.bad_state',
    });
  });
});
