import { Decimal } from 'decimal.js';
import {
  announcementsOf,
  fetchRows,
  row,
  storageOfFile,
  storage,
  type StoredLink,
} from '../../support/fixtures/stored-link.js';
import {
  fetchTrades,
  SHARE,
  shownTrades,
  storeInvestmentLink,
  trade,
  unreadable,
} from './support/fetched-trades.js';

storageOfFile();

const versionsOf = (link: StoredLink) =>
  storage.ctx.database.prisma.investmentTransactionVersion.findMany({
    where: { linkPk: link.pk },
    orderBy: { seq: 'asc' },
  });
const headsOf = (link: StoredLink) =>
  storage.ctx.database.prisma.link.findUniqueOrThrow({
    where: { pk: link.pk },
    select: { headSeq: true, investmentSeq: true },
  });
const idsOf = async (link: StoredLink) =>
  (await shownTrades(storage, link)).map((shown) => shown.investment_transaction_id).sort();

describe('Storing investment transactions', () => {
  it('stores a purchase with its security, exact decimals and every field', async () => {
    const link = await storeInvestmentLink(storage);
    expect(await fetchTrades(storage, link, [trade('a')])).toBe(1);
    const [version] = await versionsOf(link);
    expect(version?.body).toBe(
      `{"investment_transaction_id":"${version?.transactionId}","account_id":"${link.accounts.get('checking')}",` +
        `"security_id":"${version?.securityId}","type":"buy","subtype":null,"source_code":"PURCHASED",` +
        '"quantity":"12.5","price":"101.1","price_factor":"1","amount":-1268.7,"amount_source":"reported",' +
        '"gross":1263.75,"fees":4.95,"taxes":null,"currency":"USD","date":"2026-03-04T00:00:00","datetime":null,' +
        '"settled_on":"2026-03-06","description":"Bought Example Total Market","pending":false,"cancels":null,"transaction_id":null}',
    );
    expect(version?.transactionId).toMatch(/^itx_/);
    expect(version?.securityId).toMatch(/^sct_/);
  });

  it('writes nothing for unchanged trades, in whatever order they are listed', async () => {
    const link = await storeInvestmentLink(storage);
    const trades = [trade('a'), trade('b', { security: SHARE }), trade('c', { security: null })];
    await fetchTrades(storage, link, trades);
    const before = await versionsOf(link);
    expect(await fetchTrades(storage, link, trades.toReversed())).toBe(0);
    expect(await versionsOf(link)).toEqual(before);
  });

  it('counts positions in a log of its own', async () => {
    const link = await storeInvestmentLink(storage);
    await fetchRows(storage, link, [row('r1'), row('r2'), row('r3')]);
    await fetchTrades(storage, link, [trade('a')]);
    expect(await headsOf(link)).toEqual({ headSeq: 3n, investmentSeq: 1n });
  });

  it('drops trades of accounts that the user did not share', async () => {
    const link = await storeInvestmentLink(storage);
    await fetchTrades(storage, link, [trade('a', { providerAccountId: 'private' })]);
    expect(await shownTrades(storage, link)).toEqual([]);
  });

  it.each([
    ['posts', { pending: true }, { pending: false, amount: new Decimal('-1269.00') }],
    ['is corrected', {}, { quantity: new Decimal('12.6') }],
    ['is described otherwise', {}, { description: 'Purchase' }],
    ['settles on another day', {}, { settledOn: '2026-03-09' }],
    ['turns out to be of another security', {}, { security: SHARE }],
  ])('keeps the id of a trade that %s, under a new version', async (_, before, after) => {
    const link = await storeInvestmentLink(storage);
    await fetchTrades(storage, link, [trade('a', before)]);
    const ids = await idsOf(link);
    expect(await fetchTrades(storage, link, [trade('a', after)])).toBe(1);
    expect(await idsOf(link)).toEqual(ids);
    expect((await versionsOf(link)).map(({ seq, nextSeq }) => [seq, nextSeq])).toEqual([
      [1n, 2n],
      [2n, null],
    ]);
  });

  it('refers to the canceled trade by its public id, whether it is listed again or not', async () => {
    const link = await storeInvestmentLink(storage);
    await fetchTrades(storage, link, [trade('old', { date: '2026-01-05' })]);
    const [old] = await idsOf(link);
    const march = { from: '2026-03-01', to: '2026-03-31' };
    const reversal = { type: 'sell' as const, cancels: 'old' };
    await fetchTrades(
      storage,
      link,
      [trade('undo', reversal), trade('new'), trade('undo new', { cancels: 'new' })],
      { window: march },
    );
    const shown = await shownTrades(storage, link);
    const added = await versionsOf(link);
    const idOf = (id: string) =>
      added.find((version) => version.providerTransactionId === id)?.transactionId;
    expect(
      Object.fromEntries(shown.map((each) => [each.investment_transaction_id, each['cancels']])),
    ).toEqual({
      [old ?? '']: null,
      [idOf('undo') ?? '']: old,
      [idOf('new') ?? '']: null,
      [idOf('undo new') ?? '']: idOf('new'),
    });
  });

  it('names the row of transactions that is the same movement of cash', async () => {
    const link = await storeInvestmentLink(storage);
    await fetchRows(storage, link, [row('cash')]);
    const { transactionId } = await storage.ctx.database.prisma.transactionVersion.findFirstOrThrow(
      {
        where: { linkPk: link.pk },
      },
    );
    await fetchTrades(storage, link, [
      trade('a', { cashTransactionId: 'cash' }),
      trade('b', { cashTransactionId: 'unknown' }),
    ]);
    expect(
      (await shownTrades(storage, link)).map((shown) => shown['transaction_id']).sort(),
    ).toEqual([null, transactionId].sort());
  });
});

describe('A trade that a fetch does not list', () => {
  const MARCH = { from: '2026-03-01', to: '2026-03-31' };
  it.each([
    ['is removed if the list is complete for its day', {}, { window: MARCH }, true],
    ['stays if it lies before the window', { date: '2026-02-28' }, { window: MARCH }, false],
    ['stays if it lies after the window', { date: '2026-04-01' }, { window: MARCH }, false],
    ['is removed on the first day of the window', { date: '2026-03-01' }, { window: MARCH }, true],
    ['is removed on the last day of the window', { date: '2026-03-31' }, { window: MARCH }, true],
    ['stays if the list covers no day', {}, { window: null }, false],
    ['stays if its account is incomplete', {}, { incomplete: [unreadable('checking')] }, false],
    ['stays if any account may be incomplete', {}, { incomplete: [unreadable(null)] }, false],
    ['is removed if another account is incomplete', {}, { incomplete: [unreadable('card')] }, true],
  ])('%s', async (_, fields, fetch, isRemoved) => {
    const link = await storeInvestmentLink(storage);
    await fetchTrades(storage, link, [trade('a', fields), trade('b')]);
    await fetchTrades(storage, link, [trade('b')], fetch);
    expect(await shownTrades(storage, link)).toHaveLength(isRemoved ? 1 : 2);
    const tombstones = (await versionsOf(link)).filter(({ removed }) => removed);
    expect(tombstones.map(({ body, nextSeq }) => ({ body, nextSeq }))).toEqual(
      isRemoved ? [{ body: '', nextSeq: null }] : [],
    );
  });

  it('is new when it is listed again', async () => {
    const link = await storeInvestmentLink(storage);
    await fetchTrades(storage, link, [trade('a')]);
    const [before] = await idsOf(link);
    await fetchTrades(storage, link, []);
    await fetchTrades(storage, link, [trade('a')]);
    expect(await idsOf(link)).toEqual([expect.not.stringContaining(before ?? '')]);
  });
});

describe('A trade under another id', () => {
  const other = { description: 'BOUGHT EXAMPLE TOTAL MARKET', date: '2026-03-05' };
  it.each([
    ['is the same if every id of its account is new', {}, {}, true],
    ['is another one for another quantity', {}, { quantity: new Decimal(13) }, false],
    ['is another one of another security', {}, { security: SHARE }, false],
    ['is another one of another type', {}, { type: 'transfer' as const }, false],
    ['is another one for another amount', {}, { amount: new Decimal('-1268.71') }, false],
    ['is another one in the other direction', {}, { amount: new Decimal('1268.70') }, false],
    ['is another one four days later', {}, { date: '2026-03-08' }, false],
    [
      'is another one for another text',
      { description: 'Recurring investment' },
      { description: 'Market order' },
      false,
    ],
  ])('%s', async (_, before, after, isSame) => {
    const link = await storeInvestmentLink(storage);
    await fetchTrades(storage, link, [trade('a', before)]);
    const ids = await idsOf(link);
    await fetchTrades(storage, link, [trade('z', { ...other, ...after })]);
    expect((await idsOf(link)).every((id) => ids.includes(id))).toBe(isSame);
  });

  it('is another one if a trade of its account has kept its id', async () => {
    const link = await storeInvestmentLink(storage);
    await fetchTrades(storage, link, [trade('a'), trade('kept', { security: SHARE })]);
    const ids = await idsOf(link);
    await fetchTrades(storage, link, [trade('z', other), trade('kept', { security: SHARE })]);
    expect((await idsOf(link)).filter((id) => ids.includes(id))).toHaveLength(1);
  });

  it('is the same when it posts at a source that renames posted trades', async () => {
    const link = await storeInvestmentLink(storage);
    const kept = trade('kept', { security: SHARE });
    await fetchTrades(storage, link, [trade('p', { pending: true }), kept]);
    const ids = await idsOf(link);
    await fetchTrades(storage, link, [trade('q', other), kept], { postedIdsDiffer: true });
    expect(await idsOf(link)).toEqual(ids);
  });

  it('is the same at a source with unreliable ids, also where ids name other trades now', async () => {
    const link = await storeInvestmentLink(storage);
    await fetchTrades(storage, link, [trade('1'), trade('2', { security: SHARE })]);
    const before = await shownTrades(storage, link);
    await fetchTrades(
      storage,
      link,
      [
        trade('1', { security: null, type: 'fee', quantity: null, description: 'Custody fee' }),
        trade('2'),
        trade('3', { security: SHARE }),
      ],
      { postedIdsDiffer: true, anyIdDiffers: true },
    );
    const after = await shownTrades(storage, link);
    for (const shown of before) expect(after).toContainEqual(shown);
    expect(after).toHaveLength(3);
  });
});

describe('The webhook about changed investments', () => {
  const SENT = 'investments.updates_available';
  const eventsOf = async (link: StoredLink) =>
    (
      await storage.ctx.database.prisma.webhookEvent.findMany({
        where: { linkId: link.linkId, webhookEvent: SENT },
        orderBy: { pk: 'asc' },
      })
    ).map(({ body }) => {
      const { holdings_changed: holdings, transactions_changed: trades } = JSON.parse(
        body,
      ) as Record<string, boolean>;
      return { holdings, trades };
    });

  it.each([
    ['a first fetch without data', [], [{ holdings: false, trades: false }]],
    ['a first fetch with trades', [trade('a')], [{ holdings: false, trades: true }]],
  ])('is sent after %s', async (_, trades, events) => {
    const link = await storeInvestmentLink(storage);
    await fetchTrades(storage, link, trades, { cause: 'scheduled' });
    expect(await eventsOf(link)).toEqual(events);
  });

  it.each([
    [
      'is sent after a scheduled fetch that changed a trade',
      'scheduled',
      [trade('a', { fees: null })],
      1,
    ],
    ['is not sent after a scheduled fetch that changed nothing', 'scheduled', [trade('a')], 0],
    ['is sent after a requested fetch that changed nothing', 'on_demand', [trade('a')], 1],
    [
      'is not sent after a webhook of the source without a change',
      'provider_webhook',
      [trade('a')],
      0,
    ],
  ] as const)('%s', async (_, cause, trades, more) => {
    const link = await storeInvestmentLink(storage);
    await fetchTrades(storage, link, [trade('a')]);
    await fetchTrades(storage, link, trades, { cause });
    expect((await eventsOf(link)).length).toBe(1 + more);
  });

  it('follows link.product_refresh of the same fetch', async () => {
    const link = await storeInvestmentLink(storage);
    await fetchTrades(storage, link, [trade('a')]);
    expect(await announcementsOf(storage, link)).toEqual([
      'product_refresh investments completed',
      SENT,
    ]);
  });
});
