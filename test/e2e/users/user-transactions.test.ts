import { BANK } from '../../support/services/api-in-process.js';
import { apiOfFile, token } from '../../support/services/api-of-file.js';
import { fetchRows, get, linkOf, newUser, of, type UserTransactions } from './support/user-data.js';

apiOfFile();

describe('GET /users/{id}/links, /accounts and /transactions', () => {
  it('returns the transactions of all links in one list, newest first', async () => {
    const user = newUser();
    const [first, second] = [await linkOf(user), await linkOf(user)];
    await linkOf(user, token, { settings: { products: [] } });
    await fetchRows(first, [
      { date: '2026-03-03' },
      { date: '2026-03-01', type: 'credit', category: 'income.wages' },
      { date: '2026-02-01', providerAccountId: 'savings' },
    ]);
    await fetchRows(second, [
      { date: '2026-03-02', category: 'food_and_drink.groceries' },
      { date: '2026-03-01', type: 'credit' },
    ]);
    const list = (query = '') =>
      get<UserTransactions>(`${of(user, 'transactions')}?start_date=1900-01-01&${query}`);
    const all = await list();
    expect({ total: all.total, page: all.page, size: all.size }).toEqual({
      total: 5,
      page: 1,
      size: 5,
    });
    expect(all.transactions.map(({ date }) => date.slice(0, 10))).toEqual([
      '2026-03-03',
      '2026-03-02',
      '2026-03-01',
      '2026-03-01',
      '2026-02-01',
    ]);
    expect(Object.keys(all.accounts).sort()).toEqual(
      [...new Set(all.transactions.map(({ account_id: id }) => id))].sort(),
    );
    const { last_synced_at: syncedAt } = await get<{ last_synced_at: string }>(`/links/${second}`);
    expect(Object.values(all.accounts)).toContainEqual({
      name: 'Everyday Checking',
      last_synced_at: syncedAt,
      institution_id: BANK,
      link_id: second,
    });

    const [third, fourth] = all.transactions.slice(2);
    expect((third?.transaction_id ?? '') < (fourth?.transaction_id ?? '')).toBe(true);
    expect(await list('page=2&size=2')).toMatchObject({
      total: 5,
      page: 2,
      size: 2,
      transactions: all.transactions.slice(2, 4),
    });
    expect(await list('page=9&size=2')).toEqual({
      total: 5,
      page: 9,
      size: 0,
      transactions: [],
      accounts: {},
    });

    const dates = async (query: string) =>
      (await list(query)).transactions.map(({ date }) => date.slice(0, 10));
    expect(await dates('transaction_type=credit')).toEqual(['2026-03-01', '2026-03-01']);
    expect(await dates('category=income.wages,food_and_drink.groceries')).toEqual([
      '2026-03-02',
      '2026-03-01',
    ]);
    expect(await dates('category=income')).toEqual(['2026-03-01']);
    expect(await dates('category=income&category=food_and_drink.groceries')).toEqual([
      '2026-03-02',
      '2026-03-01',
    ]);
    expect(await dates('end_date=2026-03-01')).toEqual(['2026-03-01', '2026-03-01', '2026-02-01']);
    expect(
      await dates(`account_id=${all.transactions[4]?.account_id}&account_id=acc_nobody`),
    ).toEqual(['2026-02-01']);
    expect(await dates('institution_id=elsewhere')).toEqual([]);
    expect(
      await dates(
        `institution_id=${BANK}&transaction_type=debit&category=food_and_drink.groceries`,
      ),
    ).toEqual(['2026-03-02']);
    expect(await get(`${of(user, 'transactions')}?start_date=9999-01-01`)).toMatchObject({
      total: 0,
    });
  });
});
