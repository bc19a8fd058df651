import { errorOf } from '../../support/services/api-client.js';
import { BANK } from '../../support/services/api-in-process.js';
import {
  accountsOf,
  announced,
  bodyOf,
  COFFEE,
  HOOK,
  imported,
  importLink,
  importRows,
  read,
  request,
  rowsOf,
  send,
  service,
  startImports,
  WAGES,
} from './support/import-requests.js';

startImports();

const NO_DETAILS = {
  counterparty: null,
  merchant: null,
  remittance: null,
  references: null,
  original: null,
  transacted_at: null,
};

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
        ...NO_DETAILS,
        category_source: null,
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
        ...NO_DETAILS,
        category_source: 'import',
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

  it('stores an import of nearly 1 MB, and refuses larger ones', async () => {
    const rows = Array.from({ length: 4_000 }, (_, index) => ({
      account_id: 'acct/1',
      amount: `-${index}.01`,
      date: `2025-${String(1 + (index % 12)).padStart(2, '0')}-15`,
      transaction_id: `row-${index}`,
      description: `Purchase number ${index}`,
      type: 'shopping.other',
    }));
    const response = await importLink({ transactions: rows });
    expect(response.status).toBe(200);
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
    const list = await send('GET', '/links?limit=500');
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
