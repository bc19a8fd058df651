import { failureOf, refusalOf } from '../support/actors/plaid-client.js';
import { plaidServiceOfFile } from '../support/fixtures/plaid-service.js';
import { StoredItem } from '../support/fixtures/stored-item.js';

const REQUEST_ID = expect.stringMatching(/^[A-Za-z0-9]{15}$/);
const FOREIGN = {
  error_type: 'INVALID_REQUEST',
  error_code: 'INVALID_FIELD',
  error_message: 'cursor not associated with access_token',
};

const service = plaidServiceOfFile();
/** One Item for all requests that change nothing. */
let refusing: Promise<StoredItem> | undefined;
const itemThatRefuses = () => (refusing ??= StoredItem.linked(service.api));

describe('/transactions/sync', () => {
  const sync = async (item: StoredItem, request: Record<string, unknown> = {}) =>
    (await service.plaid.transactionsSync({ access_token: item.accessToken, ...request })).data;

  it('returns NOT_READY before the first fetch, and always a cursor', async () => {
    const item = await StoredItem.linked(service.api);
    await item.fetchAccounts({ providerAccountId: 'checking' });
    const nothing = {
      accounts: [],
      added: [],
      modified: [],
      removed: [],
      has_more: false,
      request_id: REQUEST_ID,
    };
    expect(await sync(item)).toEqual({
      ...nothing,
      transactions_update_status: 'NOT_READY',
      next_cursor: '',
    });
    await item.fetchTransactions();
    expect(await sync(item)).toEqual({
      ...nothing,
      transactions_update_status: 'HISTORICAL_UPDATE_COMPLETE',
      next_cursor: expect.stringMatching(/^.{20,256}$/),
    });
    const { syncStartedAt } = await service.api.database.prisma.link.findUniqueOrThrow({
      where: { linkId: item.linkId },
    });
    expect(syncStartedAt).not.toBeNull();
  });

  it('returns a pending transaction, then its posting, with its account', async () => {
    const item = await StoredItem.linked(service.api);
    await item.fetchAccounts({ providerAccountId: 'checking' });
    await item.fetchTransactions({ providerTransactionId: 'p', pending: true });
    const first = await sync(item);
    expect(first.added).toMatchObject([
      {
        pending: true,
        pending_transaction_id: null,
        amount: 4.5,
        date: '2026-03-01',
        name: 'Corner Cafe',
        personal_finance_category: { detailed: 'FOOD_AND_DRINK_COFFEE' },
      },
    ]);
    expect(first.accounts.map(({ account_id: id }) => id)).toEqual([first.added[0]?.account_id]);
    await item.fetchTransactions({ providerTransactionId: 'p', pending: false });
    const second = await sync(item, {
      cursor: first.next_cursor,
      options: { include_original_description: true, personal_finance_category_version: 'v2' },
    });
    expect(second.removed).toEqual([
      { transaction_id: first.added[0]?.transaction_id, account_id: first.added[0]?.account_id },
    ]);
    expect(second.added).toMatchObject([
      {
        pending: false,
        pending_transaction_id: first.added[0]?.transaction_id,
        original_description: 'POS 0301 CORNER CAFE',
      },
    ]);
    // Both APIs agree on the settled transactions.
    const native = await service.api.api
      .as(await service.api.token('pocket-ledger'))
      .get(`/links/${item.linkId}/transactions/sync`);
    expect(native.body).toMatchObject({
      transactions: { created: [{ transaction_id: second.added[0]?.transaction_id }] },
    });
  });

  it('refuses a pagination that newer data interrupted, and a cursor of another request', async () => {
    const item = await StoredItem.linked(service.api);
    await item.fetchAccounts({ providerAccountId: 'checking' }, { providerAccountId: 'savings' });
    await item.fetchTransactions({ providerTransactionId: 'a' }, { providerTransactionId: 'b' });
    const page = await sync(item, { count: 1 });
    expect({ added: page.added.length, has_more: page.has_more }).toEqual({
      added: 1,
      has_more: true,
    });
    await item.fetchTransactions(
      { providerTransactionId: 'a' },
      { providerTransactionId: 'b' },
      { providerTransactionId: 'c' },
    );
    const call = (request: Record<string, unknown>) =>
      service.plaid.transactionsSync({ access_token: item.accessToken, ...request });
    expect(await refusalOf(call({ cursor: page.next_cursor }))).toEqual([
      400,
      'TRANSACTIONS_ERROR',
      'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION',
    ]);
    const other = await StoredItem.linked(service.api);
    await other.fetchTransactions();
    const { savings } = await item.accountIds();
    for (const request of [
      { cursor: (await sync(other)).next_cursor },
      { cursor: 'nonsense' },
      { cursor: 'a'.repeat(257) },
      { cursor: page.next_cursor, options: { account_id: savings } },
    ]) {
      expect((await failureOf(call(request))).data).toMatchObject(FOREIGN);
    }
    expect(await refusalOf(call({ options: { account_id: 'acc_unknown' } }))).toEqual([
      400,
      'INVALID_INPUT',
      'INVALID_ACCOUNT_ID',
    ]);
  });

  it.each([
    ['count', { count: 0 }],
    ['count', { count: 501 }],
    ['count', { count: '10' }],
    ['cursor', { cursor: 7 }],
    ['options.days_requested', { options: { days_requested: 731 } }],
    [
      'options.personal_finance_category_version',
      { options: { personal_finance_category_version: 'v3' } },
    ],
  ])('refuses an invalid %s', async (field, request) => {
    const { accessToken } = await itemThatRefuses();
    const { data } = await failureOf(
      service.plaid.transactionsSync({
        access_token: accessToken,
        ...(request as unknown as Record<string, never>),
      }),
    );
    expect({ error_code: data.error_code, namesField: data.error_message.includes(field) }).toEqual(
      { error_code: 'INVALID_FIELD', namesField: true },
    );
  });

  it('treats null as absent, and ignores unknown fields', async () => {
    const item = await StoredItem.linked(service.api);
    await item.fetchTransactions();
    expect(
      await sync(item, { cursor: null, count: null, options: null, unknown: { x: 1 } }),
    ).toMatchObject({ has_more: false });
  });

  it('schedules more history when the first call requests it', async () => {
    const item = await StoredItem.linked(service.api);
    await sync(item, { options: { days_requested: 365 } });
    await sync(item, { options: { days_requested: 30 } });
    const link = await service.api.database.prisma.link.findUniqueOrThrow({
      where: { linkId: item.linkId },
      include: { products: { where: { product: 'transactions' } } },
    });
    expect({
      historyDays: link.historyDays,
      extendHistory: link.products[0]?.extendHistory,
    }).toEqual({ historyDays: 365, extendHistory: true });
  });
});

describe('/transactions/get', () => {
  const get = async (item: StoredItem, request: Record<string, unknown> = {}) =>
    (
      await service.plaid.transactionsGet({
        access_token: item.accessToken,
        start_date: '2026-01-01',
        end_date: '2026-12-31',
        ...request,
      })
    ).data;

  it('returns pages of the requested days, newest first, with the total', async () => {
    const item = await StoredItem.linked(service.api);
    await item.fetchAccounts(
      { providerAccountId: 'checking' },
      { providerAccountId: 'savings', accountType: 'investment.brokerage' },
    );
    const days = ['01', '02', '03', '04', '05'];
    await item.fetchTransactions(
      ...days.map((day) => ({
        providerTransactionId: day,
        date: `2026-03-${day}`,
        type: 'credit' as const,
      })),
      { providerTransactionId: 'x', providerAccountId: 'savings' },
    );
    const pages = [
      await get(item, { options: { count: 2 } }),
      await get(item, { options: { count: 2, offset: 2 } }),
      await get(item, { options: { count: 2, offset: 4 } }),
      await get(item, { options: { offset: 5 } }),
    ];
    expect(pages.map((page) => page.transactions.map(({ date }) => date.slice(-2)))).toEqual([
      ['05', '04'],
      ['03', '02'],
      ['01'],
      [],
    ]);
    expect(pages.map(({ total_transactions: total }) => total)).toEqual([5, 5, 5, 5]);
    expect(pages[0]).toMatchObject({
      item: { item_id: item.linkId },
      accounts: [{ type: 'depository' }],
      transactions: [{ amount: -4.5 }, {}],
    });
    expect(
      (await get(item, { start_date: '2026-03-02', end_date: '2026-03-03' })).total_transactions,
    ).toBe(2);
  });

  it.each([
    ['start_date', { start_date: '2026-02-30' }],
    ['start_date', { start_date: '2026-12-31', end_date: '2026-01-01' }],
    ['end_date', { end_date: 'today' }],
    ['options.offset', { options: { offset: -1 } }],
  ])('refuses an invalid %s', async (field, request) => {
    const { accessToken } = await itemThatRefuses();
    const { data } = await failureOf(
      service.plaid.transactionsGet({
        access_token: accessToken,
        start_date: '2026-01-01',
        end_date: '2026-01-02',
        ...request,
      }),
    );
    expect({ error_code: data.error_code, namesField: data.error_message.includes(field) }).toEqual(
      { error_code: 'INVALID_FIELD', namesField: true },
    );
  });

  it('requires its dates and a first fetch', async () => {
    const item = await itemThatRefuses();
    const { data } = await failureOf(
      service.plaid.transactionsGet({ access_token: item.accessToken } as never),
    );
    expect({ error_code: data.error_code, error_message: data.error_message }).toEqual({
      error_code: 'MISSING_FIELDS',
      error_message: expect.stringContaining('start_date, end_date'),
    });
    expect(await refusalOf(get(item).then((response) => ({ data: response })))).toEqual([
      400,
      'ITEM_ERROR',
      'PRODUCT_NOT_READY',
    ]);
  });
});
