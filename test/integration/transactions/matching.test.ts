import { Decimal } from 'decimal.js';
import type { FetchedTransaction } from '../../../domain/refresh/fetched-data.js';
import {
  beginFetch,
  currentRows,
  EVERY_DAY,
  row,
  storeLink,
  versionsOf,
  type StoredLink,
  storageOfFile,
  storage,
} from '../../support/fixtures/stored-link.js';

storageOfFile();

/** A whole fetch of a link whose ids may have changed. */
async function fetchMatching(
  link: StoredLink,
  rows: readonly FetchedTransaction[],
  {
    postedIdsDiffer = true,
    window = EVERY_DAY,
  }: { postedIdsDiffer?: boolean; window?: typeof EVERY_DAY } = {},
) {
  const run = await beginFetch(storage, link, 'transactions');
  const { matched } = await storage.refresh.matchTransactions(
    link.linkId,
    run,
    { transactions: rows, window },
    { postedIdsDiffer },
  );
  const stored = await storage.refresh.storeTransactions(link.linkId, run, {
    transactions: rows,
    last: true,
    window,
    seenIds: [],
  });
  return { matched, ...stored };
}

const otherSource = (link: StoredLink) =>
  storage.ctx.database.prisma.link.update({ where: { pk: link.pk }, data: { matchRows: true } });
const idsOf = async (link: StoredLink) =>
  new Map(
    (await currentRows(storage, link)).map((version) => [
      version.providerTransactionId,
      version.transactionId,
    ]),
  );

describe('A provider that changes the ids of rows when they post', () => {
  it('keeps ids stable: one row changes, none is removed and none is new', async () => {
    const link = await storeLink(storage);
    await fetchMatching(link, [
      row('hold', { pending: true }),
      row('other', { amount: new Decimal(7), description: 'Fuel', rawDescription: null }),
    ]);
    const before = await idsOf(link);
    const posted = [
      row('posted', { amount: new Decimal('5.25'), date: '2026-03-03' }),
      row('other', { amount: new Decimal(7), description: 'Fuel', rawDescription: null }),
    ];
    expect(await fetchMatching(link, posted)).toEqual({
      matched: 1,
      created: 0,
      updated: 1,
      removed: 0,
    });
    expect((await idsOf(link)).get('posted')).toBe(before.get('hold'));
    const [first, , last] = await versionsOf(storage, link);
    expect({
      firstPending: first?.pending,
      nextSeq: first?.nextSeq,
      lastPending: last?.pending,
      firstSeq: last?.firstSeq,
      bornPending: last?.bornPending,
      postedSeq: last?.postedSeq,
    }).toEqual({
      firstPending: true,
      nextSeq: last?.seq,
      lastPending: false,
      firstSeq: first?.seq,
      bornPending: true,
      postedSeq: last?.seq,
    });
    expect(await fetchMatching(link, posted)).toEqual({
      matched: 0,
      created: 0,
      updated: 0,
      removed: 0,
    });
  });

  it('removes a hold that was dropped, and does not match it to another purchase', async () => {
    const link = await storeLink(storage);
    await fetchMatching(link, [row('hold', { pending: true })]);
    expect(
      await fetchMatching(link, [
        row('fuel', { description: 'Fuel Station', rawDescription: 'FUEL' }),
      ]),
    ).toEqual({ matched: 0, created: 1, updated: 0, removed: 1 });
  });

  it('keeps a withdrawn posted row separate from a similar new one', async () => {
    const link = await storeLink(storage);
    await fetchMatching(link, [row('a'), row('b', { date: '2026-02-01' })]);
    expect(await fetchMatching(link, [row('c'), row('b', { date: '2026-02-01' })])).toEqual({
      matched: 0,
      created: 1,
      updated: 0,
      removed: 1,
    });
  });
});

describe('A link that another provider serves now', () => {
  it('keeps its rows under other ids and matches them once', async () => {
    const link = await storeLink(storage);
    const rows = (prefix: string) =>
      ['2026-03-01', '2026-03-02', '2026-03-03'].map((date, place) =>
        row(`${prefix}${place}`, { date }),
      );
    await fetchMatching(link, rows('old'), { postedIdsDiffer: false });
    const before = [...(await idsOf(link)).values()].sort();
    await otherSource(link);
    expect(await storage.refresh.access(link.linkId, 'transactions')).toBeNull();
    expect(await fetchMatching(link, rows('new'), { postedIdsDiffer: false })).toEqual({
      matched: 3,
      created: 0,
      updated: 0,
      removed: 0,
    });
    expect([...(await idsOf(link)).values()].sort()).toEqual(before);
    expect(
      await storage.ctx.database.prisma.link.findUnique({ where: { pk: link.pk } }),
    ).toMatchObject({ matchRows: false, headSeq: 3n });
    expect(await fetchMatching(link, rows('another'), { postedIdsDiffer: false })).toEqual({
      matched: 0,
      created: 3,
      updated: 0,
      removed: 3,
    });
  });

  it('trusts a provider that kept its ids: rows it does not return are removed', async () => {
    const link = await storeLink(storage);
    await fetchMatching(link, [row('a'), row('kept', { date: '2026-02-01' })], {
      postedIdsDiffer: false,
    });
    await otherSource(link);
    expect(
      await fetchMatching(link, [row('b'), row('kept', { date: '2026-02-01' })], {
        postedIdsDiffer: false,
      }),
    ).toEqual({ matched: 0, created: 1, updated: 0, removed: 1 });
  });

  it('keeps rows outside the window unchanged', async () => {
    const link = await storeLink(storage);
    await fetchMatching(link, [row('old', { date: '2026-01-05' })], { postedIdsDiffer: false });
    await otherSource(link);
    const window = { from: '2026-02-01', to: '2026-12-31' };
    expect(
      await fetchMatching(link, [row('new', { date: '2026-03-01' })], {
        postedIdsDiffer: false,
        window,
      }),
    ).toEqual({ matched: 0, created: 1, updated: 0, removed: 0 });
    expect([...(await idsOf(link)).keys()].sort()).toEqual(['new', 'old']);
  });

  it('matches nothing for a run that may no longer write', async () => {
    const link = await storeLink(storage);
    await fetchMatching(link, [row('old')], { postedIdsDiffer: false });
    await otherSource(link);
    const stale = await beginFetch(storage, link, 'transactions');
    await beginFetch(storage, link, 'transactions');
    await expect(
      storage.refresh.matchTransactions(
        link.linkId,
        stale,
        { transactions: [row('new')], window: EVERY_DAY },
        { postedIdsDiffer: false },
      ),
    ).rejects.toMatchObject({ name: 'StaleRefreshRun' });
    expect([...(await idsOf(link)).keys()]).toEqual(['old']);
  });

  it('matches again after a relink in the middle of the fetch', async () => {
    const link = await storeLink(storage);
    await fetchMatching(link, [row('old')], { postedIdsDiffer: false });
    const run = await beginFetch(storage, link, 'transactions');
    await storage.ctx.database.prisma.providerCredential.create({
      data: {
        linkPk: link.pk,
        provider: 'sandbox',
        reference: 'renewed',
        sealed: Buffer.from('x'),
        createdAt: new Date(Date.now() + 60_000),
      },
    });
    await otherSource(link);
    await storage.refresh.storeTransactions(link.linkId, run, {
      transactions: [row('old')],
      last: true,
      window: EVERY_DAY,
      seenIds: [],
    });
    expect(
      await storage.ctx.database.prisma.link.findUnique({ where: { pk: link.pk } }),
    ).toMatchObject({ matchRows: true });
  });
});
