import { StaleRefreshRun } from '../../../domain/errors/change-refused.js';
import { Decimal } from 'decimal.js';
import {
  beginFetch,
  currentRows,
  fetchRows,
  row,
  storeLink,
  versionsOf,
  type StoredLink,
  storageOfFile,
  storage,
} from '../../support/fixtures/stored-link.js';

storageOfFile();

describe('Storing fetched transactions', () => {
  const headOf = async (link: StoredLink) =>
    (await storage.ctx.database.prisma.link.findUniqueOrThrow({ where: { pk: link.pk } })).headSeq;
  const bodyOf = async (link: StoredLink, providerId: string) => {
    const found = (await currentRows(storage, link)).find(
      (version) => version.providerTransactionId === providerId,
    );
    return found === undefined ? null : (JSON.parse(found.body) as Record<string, unknown>);
  };

  it('stores new rows with the public body and one position each', async () => {
    const link = await storeLink(storage);
    expect(
      await fetchRows(storage, link, [
        row('a'),
        row('b', { pending: true, amount: new Decimal('0.10') }),
      ]),
    ).toEqual({ created: 2, updated: 0, removed: 0 });

    const versions = await versionsOf(storage, link);
    expect(
      versions.map(({ seq, firstSeq, nextSeq, bornPending, postedSeq }) => ({
        seq,
        firstSeq,
        nextSeq,
        bornPending,
        postedSeq,
      })),
    ).toEqual([
      { seq: 1n, firstSeq: 1n, nextSeq: null, bornPending: false, postedSeq: 1n },
      { seq: 2n, firstSeq: 2n, nextSeq: null, bornPending: true, postedSeq: null },
    ]);
    expect(versions[1]?.body).toBe(
      `{"transaction_id":"${versions[1]?.transactionId}","account_id":"${link.accounts.get('checking')}","amount":0.1,"type":"debit","currency":"USD",` +
        '"date":"2026-03-01T00:00:00","datetime":null,"description":"Corner Cafe","raw_description":"POS 0301 CORNER CAFE",' +
        '"pending":true,"category":"food_and_drink.coffee_shops","original_id":null,"counterparty":null,"merchant":null,"remittance":null,' +
        '"references":null,"original":null,"transacted_at":null,"category_source":"institution"}',
    );
    expect(await headOf(link)).toBe(2n);
  });

  it('writes nothing for unchanged rows', async () => {
    const link = await storeLink(storage);
    const rows = Array.from({ length: 50 }, (_, index) =>
      row(`r${index}`, { amount: new Decimal(index) }),
    );
    await fetchRows(storage, link, rows);
    const run = await beginFetch(storage, link, 'transactions');
    const stamps = () =>
      storage.ctx.database.pool.query(
        'SELECT seq, xmin::text, ctid::text FROM transaction_versions WHERE link_pk = $1 ORDER BY seq',
        [link.pk],
      );
    const linkStamp = () =>
      storage.ctx.database.pool.query('SELECT ctid::text FROM links WHERE pk = $1', [link.pk]);
    const [before, linkBefore] = [(await stamps()).rows, (await linkStamp()).rows];

    // The same amounts in another spelling are the same content.
    const again = rows.map((fetched) => ({
      ...fetched,
      amount: new Decimal(`${fetched.amount.toFixed()}.00`),
    }));
    expect(
      await storage.refresh.storeTransactions(link.linkId, run, {
        transactions: again,
        last: false,
        window: null,
        seenIds: [],
      }),
    ).toEqual({ created: 0, updated: 0, removed: 0 });
    expect((await stamps()).rows).toEqual(before);
    expect((await linkStamp()).rows).toEqual(linkBefore);
  });

  it('keeps the id when a pending row posts, and stores that it was pending', async () => {
    const link = await storeLink(storage);
    await fetchRows(storage, link, [row('p', { pending: true }), row('q')]);
    const born = await bodyOf(link, 'p');
    expect(
      await fetchRows(storage, link, [
        row('p', { pending: false, amount: new Decimal('5.25'), date: '2026-03-03' }),
        row('q'),
      ]),
    ).toEqual({ created: 0, updated: 1, removed: 0 });

    const [first, second, third] = await versionsOf(storage, link);
    expect(first).toMatchObject({ seq: 1n, nextSeq: 3n });
    expect(second).toMatchObject({ seq: 2n, nextSeq: null });
    expect(third).toMatchObject({
      seq: 3n,
      nextSeq: null,
      firstSeq: 1n,
      bornPending: true,
      postedSeq: 3n,
      removed: false,
    });
    expect(await bodyOf(link, 'p')).toEqual({
      ...born,
      pending: false,
      amount: 5.25,
      date: '2026-03-03T00:00:00',
    });
  });

  it('keeps the posting position through later changes', async () => {
    const link = await storeLink(storage);
    await fetchRows(storage, link, [row('p')]);
    await fetchRows(storage, link, [row('p', { description: 'Cafe' })]);
    expect((await versionsOf(storage, link))[1]).toMatchObject({
      seq: 2n,
      firstSeq: 1n,
      bornPending: false,
      postedSeq: 1n,
    });
  });

  it('removes rows missing from a fetch, only within the days that it covered', async () => {
    const link = await storeLink(storage);
    const [inside, atEdge, outside] = [
      row('inside', { date: '2026-02-10' }),
      row('edge', { date: '2026-02-28' }),
      row('outside', { date: '2026-03-01' }),
    ];
    await fetchRows(storage, link, [inside, atEdge, outside]);

    expect(await fetchRows(storage, link, [inside], { window: null })).toEqual({
      created: 0,
      updated: 0,
      removed: 0,
    });
    expect(
      await fetchRows(storage, link, [inside], {
        window: { from: '2026-02-01', to: '2026-02-28' },
      }),
    ).toEqual({ created: 0, updated: 0, removed: 1 });
    expect(
      (await currentRows(storage, link)).map((version) => version.providerTransactionId).sort(),
    ).toEqual(['inside', 'outside']);
    expect((await versionsOf(storage, link)).at(-1)).toMatchObject({
      seq: 4n,
      firstSeq: 2n,
      removed: true,
      body: '',
      nextSeq: null,
    });
    expect(await headOf(link)).toBe(4n);
  });

  it('does not remove rows before the last batch, and counts rows of earlier batches as seen', async () => {
    const link = await storeLink(storage);
    await fetchRows(storage, link, [row('a'), row('b'), row('c')]);
    const run = await beginFetch(storage, link, 'transactions');
    const store = (batch: { ids: string[]; last: boolean; seenIds: string[] }) =>
      storage.refresh.storeTransactions(link.linkId, run, {
        transactions: batch.ids.map((id) => row(id)),
        last: batch.last,
        window: { from: '2026-01-01', to: '2026-12-31' },
        seenIds: batch.seenIds,
      });
    expect(await store({ ids: ['a'], last: false, seenIds: [] })).toMatchObject({ removed: 0 });
    expect(await store({ ids: ['b'], last: true, seenIds: ['a', 'b'] })).toMatchObject({
      removed: 1,
    });
    expect(
      (await currentRows(storage, link)).map((version) => version.providerTransactionId).sort(),
    ).toEqual(['a', 'b']);
  });

  it('assigns a new id to a removed row that is reported again', async () => {
    const link = await storeLink(storage);
    await fetchRows(storage, link, [row('a'), row('b')]);
    const before = (await currentRows(storage, link)).find(
      (version) => version.providerTransactionId === 'a',
    );
    await fetchRows(storage, link, [row('b')]);
    expect(await fetchRows(storage, link, [row('a'), row('b')])).toEqual({
      created: 1,
      updated: 0,
      removed: 0,
    });
    const after = (await currentRows(storage, link)).find(
      (version) => version.providerTransactionId === 'a',
    );
    expect(after?.transactionId).not.toBe(before?.transactionId);
    expect(after).toMatchObject({ seq: 4n, firstSeq: 4n });
  });

  it('stores no row of an unknown, forbidden or closed account, and removes none of a closed one', async () => {
    const link = await storeLink(storage);
    await fetchRows(storage, link, [
      row('a'),
      row('b', { providerAccountId: 'private' }),
      row('c', { providerAccountId: 'stranger' }),
      row('d', { providerAccountId: 'card' }),
    ]);
    expect(
      (await currentRows(storage, link)).map((version) => version.providerTransactionId),
    ).toEqual(['a', 'd']);

    await storage.ctx.database.prisma.account.updateMany({
      where: { linkPk: link.pk, providerAccountId: 'card' },
      data: { closed: true },
    });
    expect(
      await fetchRows(storage, link, [row('a'), row('e', { providerAccountId: 'card' })]),
    ).toEqual({ created: 0, updated: 0, removed: 0 });
    expect(
      (await currentRows(storage, link)).map((version) => version.providerTransactionId),
    ).toEqual(['a', 'd']);
  });

  it('stores the last of two rows with the same id in a batch', async () => {
    const link = await storeLink(storage);
    await fetchRows(storage, link, [
      row('a', { amount: new Decimal(1) }),
      row('a', { amount: new Decimal(2) }),
    ]);
    expect((await currentRows(storage, link)).map(({ amount }) => amount.toString())).toEqual([
      '2',
    ]);
  });

  it('keeps amounts exact and texts unchanged', async () => {
    const link = await storeLink(storage);
    await fetchRows(storage, link, [
      row('a', {
        amount: new Decimal('9007199254740993.000000000000000001'),
        description: 'Café "Zoë" \\ 東京\n',
        category: null,
      }),
    ]);
    const [stored] = await currentRows(storage, link);
    expect(stored?.body).toContain('"amount":9007199254740993.000000000000000001,');
    expect((JSON.parse(stored?.body ?? '') as { description: string }).description).toBe(
      'Café "Zoë" \\ 東京\n',
    );
  });

  it('refuses a superseded run and a run whose link was deleted', async () => {
    const link = await storeLink(storage);
    const stale = await beginFetch(storage, link, 'transactions');
    const current = await beginFetch(storage, link, 'transactions');
    const batch = { transactions: [row('a')], last: true, window: null, seenIds: [] };
    await expect(storage.refresh.storeTransactions(link.linkId, stale, batch)).rejects.toThrow(
      StaleRefreshRun,
    );
    expect(await storage.refresh.beginProduct(link.linkId, stale, 'transactions')).toBeNull();
    expect(await storage.refresh.retriedProduct(link.linkId, stale, 'transactions')).toBeNull();
    await storage.refresh.failProduct(link.linkId, stale, 'transactions', 'institution_down');

    await storage.ctx.database.prisma.link.update({
      where: { pk: link.pk },
      data: { state: 'deleted' },
    });
    await expect(storage.refresh.storeTransactions(link.linkId, current, batch)).rejects.toThrow(
      StaleRefreshRun,
    );
    expect(await storage.refresh.beginRun(link.linkId)).toBeNull();
    expect(await versionsOf(storage, link)).toEqual([]);
  });

  it('refuses rows of a product that is not in progress', async () => {
    const link = await storeLink(storage);
    const run = await beginFetch(storage, link, 'transactions');
    const batch = { transactions: [row('a')], last: true, window: null, seenIds: [] };
    await storage.refresh.storeTransactions(link.linkId, run, batch);
    await expect(
      storage.refresh.storeTransactions(link.linkId, run, { ...batch, transactions: [row('b')] }),
    ).rejects.toThrow(StaleRefreshRun);
    expect(await currentRows(storage, link)).toHaveLength(1);
  });
});
