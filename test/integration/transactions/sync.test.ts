import {
  advanceCursor,
  SYNC_START,
  type SyncCursor,
} from '../../../domain/transactions/sync-cursor.js';
import { LinkRepository } from '../../../prisma/links/link/link.repository.js';
import {
  TransactionReader,
  type SyncPage,
} from '../../../prisma/links/transactions/transaction-reader.js';
import {
  EVERY_DAY,
  fetchRows,
  row,
  storeLink,
  TENANT,
  type StoredLink,
  storageOfFile,
  storage,
} from '../../support/fixtures/stored-link.js';

storageOfFile();

interface Walk {
  created: string[];
  updated: string[];
  removed: string[];
  pages: number;
  end: SyncCursor;
}

interface Shown {
  transaction_id: string;
  description: string;
  date: string;
}
const parsed = (fragment: string) => JSON.parse(`[${fragment}]`) as Shown[];
const descriptions = (fragment: string) => parsed(fragment).map(({ description }) => description);

describe('The sync of a link', () => {
  let reader: TransactionReader;
  beforeAll(() => {
    reader = new TransactionReader(storage.ctx);
  });

  const page = async (link: StoredLink, cursor: SyncCursor, size: number): Promise<SyncPage> => {
    const found = await reader.syncPage({ tenant: TENANT, linkId: link.linkId, cursor, size });
    if (found?.page == null) throw new Error('the cursor is not readable');
    return found.page;
  };
  const next = (cursor: SyncCursor, { highWater, lastSeq, hasMore }: SyncPage) =>
    advanceCursor(cursor, highWater, lastSeq, hasMore);

  async function walk(link: StoredLink, from: SyncCursor = SYNC_START, size = 2): Promise<Walk> {
    const seen: Walk = { created: [], updated: [], removed: [], pages: 0, end: from };
    for (let more = true; more;) {
      const found = await page(link, seen.end, size);
      seen.created.push(...descriptions(found.created));
      seen.updated.push(...descriptions(found.updated));
      seen.removed.push(...(JSON.parse(`[${found.removed}]`) as string[]));
      seen.pages += 1;
      seen.end = next(seen.end, found);
      more = found.hasMore;
    }
    return seen;
  }
  const idsOf = async (link: StoredLink) => {
    const { rows } = await reader.listPage({
      linkPk: link.pk,
      start: EVERY_DAY.from,
      end: EVERY_DAY.to,
      page: 1,
      size: 100,
    });
    return new Map(parsed(rows).map((shown) => [shown.description, shown.transaction_id]));
  };
  const named = (...names: string[]) => names.map((name) => row(name, { description: name }));

  it('reports every row as created from the start, in exact pages', async () => {
    const link = await storeLink(storage);
    await fetchRows(storage, link, named('a', 'b', 'c', 'd'));
    const all = await walk(link);
    expect(all).toMatchObject({
      created: ['a', 'b', 'c', 'd'],
      updated: [],
      removed: [],
      pages: 2,
      end: { floor: 4n, position: 4n, highWater: null },
    });
    expect(await walk(link, all.end)).toMatchObject({
      created: [],
      updated: [],
      removed: [],
      pages: 1,
      end: all.end,
    });
  });

  it('returns an empty page and a cursor for an empty link', async () => {
    const link = await storeLink(storage);
    expect(await page(link, SYNC_START, 50)).toEqual({
      created: '',
      updated: '',
      removed: '',
      accounts: [],
      highWater: 0n,
      lastSeq: null,
      hasMore: false,
    });
  });

  it('reports only changes since the cursor', async () => {
    const link = await storeLink(storage);
    await fetchRows(storage, link, [
      ...named('a', 'b'),
      row('p', { description: 'p', pending: true }),
    ]);
    const ids = await idsOf(link);
    const { end } = await walk(link);
    await fetchRows(storage, link, [
      ...named('a'),
      row('p', { description: 'p', pending: false }),
      ...named('new'),
    ]);
    const second = await walk(link, end);
    expect(second).toMatchObject({
      created: ['new'],
      updated: ['p'],
      removed: [ids.get('b')],
      pages: 2,
    });
    // The same cursor again returns the same response (guarantee 1).
    expect(await walk(link, end)).toEqual(second);
  });

  it('does not report rows created and removed between two cursors', async () => {
    const link = await storeLink(storage);
    await fetchRows(storage, link, named('a'));
    const { end } = await walk(link);
    await fetchRows(storage, link, named('a', 'short'));
    await fetchRows(storage, link, named('a'));
    expect(await walk(link, end)).toMatchObject({
      created: [],
      updated: [],
      removed: [],
      pages: 1,
    });
  });

  it('reports rows created and changed between two cursors once, as created', async () => {
    const link = await storeLink(storage);
    await fetchRows(storage, link, named('a'));
    const { end } = await walk(link);
    await fetchRows(storage, link, [...named('a'), row('b', { description: 'early' })]);
    await fetchRows(storage, link, [...named('a'), row('b', { description: 'late' })]);
    expect(await walk(link, end)).toMatchObject({ created: ['late'], updated: [], removed: [] });
  });

  it('fills pages with reported rows: skipped rows leave no empty page', async () => {
    const link = await storeLink(storage);
    await fetchRows(storage, link, named('a', 'x1', 'x2', 'x3', 'b'));
    await fetchRows(storage, link, named('a', 'b'));
    await fetchRows(storage, link, named('a', 'b', 'c'));
    // From the start the tombstones of x1 to x3 lie between b and c.
    const found = await page(link, SYNC_START, 3);
    expect(descriptions(found.created)).toEqual(['a', 'b', 'c']);
    expect(found.hasMore).toBe(false);
    const [first, second] = [
      await page(link, SYNC_START, 1),
      await page(link, { floor: 0n, position: 5n, highWater: 9n }, 1),
    ];
    expect({ firstHasMore: first.hasMore, secondHasMore: second.hasMore }).toEqual({
      firstHasMore: true,
      secondHasMore: false,
    });
    expect(descriptions(second.created)).toEqual(['c']);
  });

  it('pins a walk to its first page, and the next walk reports later changes', async () => {
    const link = await storeLink(storage);
    await fetchRows(storage, link, named('a', 'b', 'c', 'd'));
    const ids = await idsOf(link);
    const first = await page(link, SYNC_START, 2);
    const paused = next(SYNC_START, first);
    await fetchRows(storage, link, [
      row('a', { description: 'a2' }),
      row('c', { description: 'c2' }),
      ...named('d', 'e'),
    ]);
    const rest = await walk(link, paused, 2);
    expect(rest).toMatchObject({ created: ['c', 'd'], updated: [], removed: [] });
    expect(await walk(link, rest.end, 10)).toMatchObject({
      created: ['e'],
      updated: ['a2', 'c2'],
      removed: [ids.get('b')],
    });
  });

  it('names the accounts that have a row on the page', async () => {
    const link = await storeLink(storage);
    await fetchRows(storage, link, [row('a'), row('b', { providerAccountId: 'card' })]);
    const first = await page(link, SYNC_START, 1);
    expect(first.accounts).toMatchObject([
      {
        accountId: link.accounts.get('checking'),
        available: '2210.52',
        balanceDate: new Date('2026-03-02T10:15:31Z'),
      },
    ]);
    const { end } = await walk(link);
    await fetchRows(storage, link, []);
    expect(await page(link, end, 10)).toMatchObject({
      accounts: [],
      removed: expect.stringMatching(/^"txn_\w{22}","txn_\w{22}"$/),
    });
  });

  it('refuses a cursor that is ahead of the link', async () => {
    const link = await storeLink(storage);
    await fetchRows(storage, link, named('a'));
    const unreadable = [
      { floor: 2n, position: 2n, highWater: null },
      { floor: 0n, position: 1n, highWater: 2n },
      { floor: 1n, position: 0n, highWater: 1n },
    ];
    for (const cursor of unreadable)
      expect(
        await reader.syncPage({ tenant: TENANT, linkId: link.linkId, cursor, size: 10 }),
      ).toMatchObject({ link: { headSeq: 1n }, page: null });
  });

  it('reads the link at the same moment, and none of another tenant', async () => {
    const link = await storeLink(storage);
    await fetchRows(storage, link, named('a'));
    const query = { linkId: link.linkId, cursor: SYNC_START, size: 10 };
    const links = new LinkRepository(storage.ctx);
    expect((await reader.syncPage({ ...query, tenant: TENANT }))?.link).toEqual({
      ...(await links.get(TENANT, link.linkId)),
      now: expect.any(Date),
    });
    for (const tenant of [
      { ...TENANT, appId: 'other' },
      { ...TENANT, environment: 'live' as const },
    ])
      expect(await reader.syncPage({ ...query, tenant })).toBeNull();
  });

  it('yields, without writers, exactly the rows of the list', async () => {
    const link = await storeLink(storage);
    const replica = new Map<string, unknown>();
    let cursor = SYNC_START;
    const catchUp = async () => {
      for (let more = true; more;) {
        const found = await page(link, cursor, 2);
        for (const shown of [...parsed(found.created), ...parsed(found.updated)])
          replica.set(shown.transaction_id, shown);
        for (const id of JSON.parse(`[${found.removed}]`) as string[]) replica.delete(id);
        cursor = next(cursor, found);
        more = found.hasMore;
      }
    };
    for (const rows of [
      named('a', 'b', 'c'),
      named('b', 'c'),
      named('a', 'b', 'd'),
      [row('b', { description: 'b2' })],
    ]) {
      await fetchRows(storage, link, rows);
      await catchUp();
      const list = parsed(
        (
          await reader.listPage({
            linkPk: link.pk,
            start: EVERY_DAY.from,
            end: EVERY_DAY.to,
            page: 1,
            size: 100,
          })
        ).rows,
      );
      expect(replica).toEqual(new Map(list.map((shown) => [shown.transaction_id, shown])));
    }
  });
});
