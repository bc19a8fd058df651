import { Decimal } from 'decimal.js';
import { TransactionReader } from '../../../prisma/links/transactions/transaction-reader.js';
import {
  fetchRows,
  row,
  storeLink,
  type StoredLink,
  storageOfFile,
  storage,
} from '../../support/fixtures/stored-link.js';

storageOfFile();

interface Shown {
  transaction_id: string;
  description: string;
  date: string;
}
const parsed = (fragment: string) => JSON.parse(`[${fragment}]`) as Shown[];

describe('The list of the rows of a link', () => {
  let reader: TransactionReader;
  let link: StoredLink;
  beforeAll(async () => {
    reader = new TransactionReader(storage.ctx);
    link = await storeLink(storage);
    await fetchRows(storage, link, [
      row('old', { date: '2026-01-05' }),
      row('gone', { date: '2026-02-02' }),
      row('x', { date: '2026-02-10' }),
      row('y', { date: '2026-02-10' }),
      row('z', { date: '2026-02-10', providerAccountId: 'card' }),
      row('new', { date: '2026-03-01', pending: true, amount: new Decimal(1) }),
    ]);
    await fetchRows(storage, link, [], { window: { from: '2026-02-02', to: '2026-02-02' } });
  });

  const list = (query: {
    page?: number;
    size?: number;
    accountIds?: string[];
    start?: string;
    end?: string;
  }) =>
    reader.listPage({
      linkPk: link.pk,
      start: '2026-01-01',
      end: '2026-12-31',
      page: 1,
      size: 50,
      ...query,
    });

  it('is sorted by newest first and then by id, without removed rows', async () => {
    const { total, size, rows, accountIds } = await list({});
    const shown = parsed(rows);
    expect({ total, size }).toEqual({ total: 5, size: 5 });
    expect(shown.map(({ date }) => date.slice(0, 10))).toEqual([
      '2026-03-01',
      '2026-02-10',
      '2026-02-10',
      '2026-02-10',
      '2026-01-05',
    ]);
    const ties = shown.slice(1, 4).map((shownRow) => shownRow.transaction_id);
    expect(ties).toEqual([...ties].sort());
    expect(accountIds.sort()).toEqual(
      [link.accounts.get('checking'), link.accounts.get('card')].sort(),
    );
  });

  it('has pages without gaps, and only the total past its end', async () => {
    const whole = parsed((await list({})).rows);
    const paged = await Promise.all([1, 2, 3].map((page) => list({ page, size: 2 })));
    expect(paged.flatMap(({ rows }) => parsed(rows))).toEqual(whole);
    expect(paged.map(({ size }) => size)).toEqual([2, 2, 1]);
    expect(await list({ page: 4, size: 2 })).toEqual({
      total: 5,
      size: 0,
      rows: '',
      accountIds: [],
    });
    expect(await list({ page: Number.MAX_SAFE_INTEGER, size: 1000 })).toMatchObject({
      total: 5,
      size: 0,
      rows: '',
    });
  });

  it('is filtered by inclusive days and by account, and ignores unknown accounts', async () => {
    expect((await list({ start: '2026-01-05', end: '2026-02-10' })).total).toBe(4);
    const card = link.accounts.get('card') ?? '';
    expect(await list({ accountIds: [card, 'acc_unknown'] })).toMatchObject({
      total: 1,
      accountIds: [card],
    });
    expect(await list({ accountIds: ['acc_unknown'] })).toEqual({
      total: 0,
      size: 0,
      rows: '',
      accountIds: [],
    });
  });

  it('keeps the rows of an account that was closed or withdrawn', async () => {
    await storage.ctx.database.prisma.account.updateMany({
      where: { linkPk: link.pk, providerAccountId: 'card' },
      data: { closed: true, permitted: false },
    });
    expect((await list({})).total).toBe(5);
  });
});
