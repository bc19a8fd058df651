import {
  advanceCursor,
  SYNC_START,
  type SyncCursor,
} from '../../../domain/transactions/sync-cursor.js';
import { recover } from '../../../prisma/operations/recovery/recover.js';
import { TradeReader } from '../../../prisma/links/investments/trade-reader.js';
import {
  fetchRows,
  row,
  storageOfFile,
  storage,
  TENANT,
  type StoredLink,
} from '../../support/fixtures/stored-link.js';
import { fetchTrades, SHARE, storeInvestmentLink, trade } from './support/fetched-trades.js';

storageOfFile();

interface Page {
  created: string[];
  updated: string[];
  removed: string[];
  accounts: string[];
  symbols: (string | null)[];
  hasMore: boolean;
  next: SyncCursor;
}

/** Null = the cursor is refused. */
async function readPage(
  { linkId }: StoredLink,
  cursor = SYNC_START,
  size = 500,
): Promise<Page | null> {
  const read = await new TradeReader(storage.ctx).syncPage({
    tenant: TENANT,
    linkId,
    cursor,
    size,
  });
  const page = read?.page ?? null;
  if (read === null || page === null) return null;
  const textsOf = (rows: string) =>
    (JSON.parse(`[${rows}]`) as { description: string }[]).map(({ description }) => description);
  return {
    created: textsOf(page.created),
    updated: textsOf(page.updated),
    removed: JSON.parse(`[${page.removed}]`) as string[],
    accounts: page.accounts.map(({ name }) => name),
    symbols: read.securities.map((body) => (JSON.parse(body) as { symbol: string | null }).symbol),
    hasMore: page.hasMore,
    next: advanceCursor(cursor, page.highWater, page.lastSeq, page.hasMore),
  };
}
async function walk(link: StoredLink, from: SyncCursor, size: number): Promise<Page[]> {
  const pages: Page[] = [];
  for (let cursor = from; ;) {
    const page = await readPage(link, cursor, size);
    if (page === null) throw new Error('the cursor was refused');
    pages.push(page);
    if (!page.hasMore) return pages;
    cursor = page.next;
  }
}
const named = (id: string, fields = {}) => trade(id, { description: id, ...fields });

describe('A sync walk through investment transactions', () => {
  it('returns every trade once, in pages with their securities and accounts', async () => {
    const link = await storeInvestmentLink(storage);
    await fetchTrades(storage, link, [
      named('one'),
      named('two'),
      named('three', { security: SHARE, providerAccountId: 'card' }),
      named('four', { security: null, providerAccountId: 'card' }),
    ]);
    const pages = await walk(link, SYNC_START, 2);
    expect(pages.map(({ created, symbols, accounts }) => ({ created, symbols, accounts }))).toEqual(
      [
        { created: ['one', 'two'], symbols: ['EXTMX'], accounts: ['checking'] },
        { created: ['three', 'four'], symbols: ['EXC'], accounts: ['card'] },
      ],
    );
  });

  it('returns from its cursor on what was added, changed and removed since', async () => {
    const link = await storeInvestmentLink(storage);
    await fetchTrades(storage, link, [named('stays'), named('changes'), named('goes')]);
    const before = await readPage(link);
    await fetchTrades(storage, link, [
      named('stays'),
      named('changes', { fees: null }),
      named('arrives', { security: SHARE }),
    ]);
    const page = await readPage(link, before?.next);
    expect(page).toMatchObject({ created: ['arrives'], updated: ['changes'], hasMore: false });
    expect(page?.removed).toEqual([expect.stringMatching(/^itx_/)]);
    expect(page?.symbols.toSorted()).toEqual(['EXC', 'EXTMX']);
  });

  it('does not report a trade that came and went between two cursors', async () => {
    const link = await storeInvestmentLink(storage);
    await fetchTrades(storage, link, []);
    const before = await readPage(link);
    await fetchTrades(storage, link, [named('brief')]);
    await fetchTrades(storage, link, []);
    expect(await readPage(link, before?.next)).toMatchObject({
      created: [],
      updated: [],
      removed: [],
    });
  });

  it('ends where it started, however much is written meanwhile', async () => {
    const link = await storeInvestmentLink(storage);
    await fetchTrades(storage, link, [named('one'), named('two')]);
    const first = await readPage(link, SYNC_START, 1);
    await fetchTrades(storage, link, [named('one'), named('two'), named('late')]);
    const second = await readPage(link, first?.next, 1);
    expect(second).toMatchObject({ created: ['two'], hasMore: false });
    expect(await readPage(link, second?.next)).toMatchObject({ created: ['late'] });
  });

  it('is not moved by transactions of the same link', async () => {
    const link = await storeInvestmentLink(storage);
    await fetchTrades(storage, link, [named('one')]);
    const before = await readPage(link);
    await fetchRows(storage, link, [row('r1'), row('r2')]);
    expect(await readPage(link, before?.next)).toMatchObject({ created: [], next: before?.next });
  });

  it.each<[string, SyncCursor]>([
    ['ahead of the log', { floor: 2n, position: 2n, highWater: null }],
    ['that ends ahead of the log', { floor: 0n, position: 0n, highWater: 2n }],
    ['whose floor is ahead of its position', { floor: 1n, position: 0n, highWater: null }],
  ])('refuses a cursor %s', async (_, cursor) => {
    const link = await storeInvestmentLink(storage);
    // The other log is longer.
    await fetchRows(storage, link, [row('r1'), row('r2'), row('r3')]);
    await fetchTrades(storage, link, [named('one')]);
    expect(await readPage(link, cursor)).toBeNull();
  });

  it('refuses cursors of positions that a restored backup does not know', async () => {
    const link = await storeInvestmentLink(storage);
    await fetchTrades(storage, link, [named('one')]);
    const known = await readPage(link);
    await recover(storage.ctx, { deletedLinkIds: [] });
    await fetchTrades(storage, link, [named('one'), named('after', { security: SHARE })]);
    expect(await readPage(link, { floor: 2n, position: 2n, highWater: null })).toBeNull();
    expect(await readPage(link, known?.next)).toMatchObject({ created: ['after'] });
  });
});
