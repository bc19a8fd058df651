import { AppBackEnd } from '../../support/actors/link-journey.js';
import { linkInstantBank } from '../../support/actors/link-instant-bank.js';
import type {
  AccountBody,
  LinkBody,
  SyncPage,
  TransactionBody,
  TransactionsPage,
} from '../../support/actors/response-bodies.js';
import { shareService, type SharedService } from '../../support/fixtures/shared-service.js';

const DAY_MS = 86_400_000;
const day = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10);
const dayNumber = (date: string): number => Date.parse(date) / DAY_MS;

let service: SharedService;
let app: AppBackEnd;
let linkId: string;
/** The day on which the bank was read, so that midnight has no effect. */
let today: number;
let window: string;

beforeAll(async () => {
  service = await shareService();
  app = new AppBackEnd(service.info.base_url, service.app.sandbox);
  ({ linkId } = await linkInstantBank(app));
  const link = await app.untilRefreshed(linkId, 'transactions');
  today = dayNumber((link.products['transactions']?.refreshed_at ?? '').slice(0, 10));
  window = `start_date=${day(today - 89)}&end_date=${day(today)}`;
});

const list = (query: string) =>
  app.get<TransactionsPage>(`/links/${linkId}/transactions?${window}&${query}`);

describe('The accounts of Instant Bank', () => {
  it('are the two accounts of link-lifecycle 13.2', async () => {
    const { accounts, link } = await app.get<{ accounts: AccountBody[]; link: LinkBody }>(
      `/links/${linkId}/accounts`,
    );
    const common = {
      account_id: expect.stringMatching(/^acc_/),
      nickname: null,
      closed: false,
      missing_since: null,
      original_id: null,
    };
    const balances = { currency: 'USD', limit: null, balance_date: expect.any(String) };
    expect(accounts).toEqual([
      {
        ...common,
        account_type: 'depository.checking',
        name: 'Everyday Checking',
        account_mask: '1101',
        balances: { ...balances, available: 2210.52, current: 2350 },
      },
      {
        ...common,
        account_type: 'depository.savings',
        name: 'Rainy Day Savings',
        account_mask: '2202',
        balances: { ...balances, available: 8400, current: 8400 },
      },
    ]);
    expect(link).toMatchObject({ link_id: linkId, state: 'connected' });
  });

  it('can be requested by id', async () => {
    const { accounts } = await app.get<{ accounts: AccountBody[] }>(`/links/${linkId}/accounts`);
    const savings = accounts[1]?.account_id ?? '';
    expect(await app.get(`/links/${linkId}/accounts/${savings}`)).toMatchObject({
      account: { account_id: savings },
      link: { link_id: linkId },
    });
    expect(
      await app.get(`/links/${linkId}/accounts?account_ids=${savings}&account_ids=acc_unknown`),
    ).toMatchObject({ accounts: [{ account_id: savings }] });
    expect(await app.call('GET', `/links/${linkId}/accounts/acc_unknown`)).toMatchObject({
      status: 404,
      body: { error_code: 'link_error.not_found' },
    });
  });
});

describe('The transactions of Instant Bank', () => {
  it('occur once on every day not divisible by three, 60 in 90 days', async () => {
    const { total, size, transactions, accounts } = await list('size=1000');
    expect({ total, size, rows: transactions.length }).toEqual({ total: 60, size: 60, rows: 60 });
    const expected = Array.from({ length: 90 }, (_, index) => today - index).filter(
      (number) => number % 3 !== 0,
    );
    expect(transactions.map(({ date }) => date)).toEqual(
      expected.map((number) => `${day(number)}T00:00:00`),
    );
    for (const row of transactions) {
      const number = dayNumber(row.date.slice(0, 10));
      const payday = number % 14 === 0;
      expect(row).toMatchObject({
        transaction_id: expect.stringMatching(/^txn_/),
        currency: 'USD',
        original_id: null,
        pending: number >= today - 1,
        type: payday ? 'credit' : 'debit',
      });
      expect(row.amount).toBeGreaterThan(0);
      if (payday) expect(row.category).toBe('income.wages');
    }
    expect(accounts.map(({ account_mask }) => account_mask)).toEqual(['1101']);
    expect(new Set(transactions.map(({ account_id }) => account_id))).toEqual(
      new Set(accounts.map(({ account_id }) => account_id)),
    );
  });

  it('are returned in pages of the requested size', async () => {
    const all = (await list('size=1000')).transactions;
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`page=${page}&size=25`)));
    expect(pages.map(({ page, size, total }) => ({ page, size, total }))).toEqual([
      { page: 1, size: 25, total: 60 },
      { page: 2, size: 25, total: 60 },
      { page: 3, size: 10, total: 60 },
      { page: 4, size: 0, total: 60 },
    ]);
    expect(pages.flatMap(({ transactions }) => transactions)).toEqual(all);
  });

  it('can be filtered by account and date', async () => {
    const all = (await list('size=1000')).transactions;
    const { accounts } = await app.get<{ accounts: AccountBody[] }>(`/links/${linkId}/accounts`);
    const [checking, savings] = accounts.map(({ account_id }) => account_id);
    expect((await list(`account_ids=${checking}&size=1000`)).total).toBe(60);
    expect((await list(`account_ids=${savings}`)).total).toBe(0);
    const since = day(today - 9);
    const recent = await app.get<TransactionsPage>(
      `/links/${linkId}/transactions?start_date=${since}&end_date=${day(today)}`,
    );
    expect(recent.transactions).toEqual(all.filter(({ date }) => date >= since));
  });

  it('differ between customer users, and are the same for one user', async () => {
    const rowsOf = async (id: string): Promise<Pick<TransactionBody, 'date' | 'amount'>[]> => {
      const other = await linkInstantBank(app, { customer_user: { id } });
      await app.untilRefreshed(other.linkId, 'transactions');
      const { transactions } = await app.get<TransactionsPage>(
        `/links/${other.linkId}/transactions?${window}&size=1000`,
      );
      return transactions.map(({ date, amount }) => ({ date, amount }));
    };
    const [once, again, other] = [
      await rowsOf('same'),
      await rowsOf('same'),
      await rowsOf('other'),
    ];
    expect(again).toEqual(once);
    expect(other).not.toEqual(once);
  });
});

describe('GET /links/{id}/transactions/sync', () => {
  const created = (pages: SyncPage[]) => pages.flatMap(({ transactions }) => transactions.created);
  const byId = (rows: TransactionBody[]) =>
    [...rows].sort((one, other) => one.transaction_id.localeCompare(other.transaction_id));

  it('returns exactly the transactions of the list, and then nothing', async () => {
    const { pages, cursor } = await app.walk(linkId, { size: 7 });
    expect(pages.map(({ transactions }) => transactions.created.length)).toEqual([
      7, 7, 7, 7, 7, 7, 7, 7, 4,
    ]);
    expect(pages.map(({ has_more }) => has_more)).toEqual([
      ...Array.from({ length: 8 }, () => true),
      false,
    ]);
    expect(
      pages.every(
        ({ transactions }) => transactions.updated.length + transactions.removed.length === 0,
      ),
    ).toBe(true);
    expect(byId(created(pages))).toEqual(byId((await list('size=1000')).transactions));
    expect(pages[0]?.accounts.map(({ account_mask }) => account_mask)).toEqual(['1101']);
    expect(pages[0]?.link).toMatchObject({ link_id: linkId });

    const second = await app.walk(linkId, { cursor });
    expect(second.pages).toMatchObject([
      { transactions: { created: [], updated: [], removed: [] }, accounts: [], has_more: false },
    ]);
    expect(second.cursor).not.toBe('');
  });

  it('repeats a page for the same cursor', async () => {
    const first = await app.get<SyncPage>(`/links/${linkId}/transactions/sync?size=20`);
    const path = `/links/${linkId}/transactions/sync?size=20&cursor=${encodeURIComponent(first.cursor.next)}`;
    const [once, again] = [await app.get<SyncPage>(path), await app.get<SyncPage>(path)];
    expect(again.transactions).toEqual(once.transactions);
  });

  it('returns 304 when the caller already has the page', async () => {
    const path = `/links/${linkId}/transactions/sync?size=20`;
    const { headers } = await app.call('GET', path);
    expect(headers.get('cache-control')).toBe('private, no-cache');
    const again = await app.call('GET', path, {
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    });
    expect(again).toMatchObject({ status: 304, body: null });
  });

  it('refuses an unreadable cursor and the cursor of another link', async () => {
    const { cursor } = await app.walk(linkId);
    const other = await linkInstantBank(app);
    for (const path of [
      `/links/${linkId}/transactions/sync?cursor=nonsense`,
      `/links/${other.linkId}/transactions/sync?cursor=${encodeURIComponent(cursor)}`,
    ]) {
      const response = await app.call('GET', path);
      expect(response).toMatchObject({
        status: 422,
        body: {
          error_code: 'api_error.request.validation_failed',
          validation_errors: [{ location: ['query', 'cursor'] }],
        },
      });
    }
  });
});
