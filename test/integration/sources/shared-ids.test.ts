import { Decimal } from 'decimal.js';
import { addDays, utcDay } from '../../../domain/api/timestamps.js';
import { withIds } from '../../../providers/enable-banking/data/transaction-ids.js';
import { mergeRequests } from '../../../providers/simplefin/data/merge-requests.js';
import type { ProviderFacts, ProviderTransaction } from '../../../providers/contract/provider.js';
import {
  refreshesAt,
  storePermittedLink,
  testProvider,
} from '../../support/fixtures/fetching-link.js';
import { GENEROUS_FACTS } from '../../support/fixtures/provider-calls.js';
import {
  currentRows,
  row,
  storage,
  storageOfFile,
  type StoredLink,
} from '../../support/fixtures/stored-link.js';

storageOfFile();

const daysAgo = (days: number): string => addDays(utcDay(new Date()), -days);
const rowOf = (amount: string, description: string, days = 5): ProviderTransaction =>
  row('checking/T1', {
    amount: new Decimal(amount),
    description,
    rawDescription: null,
    date: daysAgo(days),
  });
let purchase: ProviderTransaction;
let fee: ProviderTransaction;
let other: ProviderTransaction;
beforeEach(() => {
  purchase = rowOf('100.00', 'Garage');
  fee = rowOf('3.00', 'Foreign fee');
  other = { ...rowOf('7.00', 'Bakery'), providerTransactionId: 'checking/T2' };
});

interface Adapter {
  name: string;
  transactionIds: ProviderFacts['transactionIds'];
  /** The ids that its rows have. */
  read: (rows: readonly ProviderTransaction[]) => ProviderTransaction[];
}

const ADAPTERS: readonly Adapter[] = [
  { name: 'FDX', transactionIds: 'renewed_when_posted', read: (rows) => [...rows] },
  {
    name: 'Enable Banking',
    transactionIds: 'unreliable',
    read: (rows) =>
      withIds(
        'checking',
        rows.map(({ providerTransactionId, ...each }) => ({
          reference: providerTransactionId,
          row: each,
        })),
      ),
  },
  {
    name: 'SimpleFIN',
    transactionIds: 'unreliable',
    read: (rows) =>
      mergeRequests([rows.map((each) => ({ row: each, content: JSON.stringify(each) }))]),
  },
];

const NOTHING = { created: 0, updated: 0, removed: 0 };
let link: StoredLink;
beforeEach(async () => {
  link = await storePermittedLink(storage);
});

/** Fetches rows through an adapter; returns the counts. */
async function fetchThrough(
  { transactionIds, read }: Adapter,
  rows: readonly ProviderTransaction[],
  { days = 60, fails = false }: { days?: number; fails?: boolean } = {},
) {
  const source = testProvider({
    facts: { ...GENEROUS_FACTS, transactionIds },
    async *fetchTransactions({ note }) {
      const fault = { resource: 'page', field: '', reason: 'refused' } as const;
      if (fails) note({ scope: 'account', account: 'checking', ...fault });
      const covered = { from: daysAgo(days), to: daysAgo(0) };
      yield { transactions: read(rows), covered };
    },
  });
  const result = await refreshesAt(storage, source).fetch(link, 'transactions');
  if (result.kind === 'stale') throw new Error('the fetch is stale');
  const { kind: _, ...counts } = result;
  return counts;
}

/** Our ids by amount. */
const ids = async () =>
  Object.fromEntries(
    (await currentRows(storage, link)).map(({ amount, transactionId }) => [
      amount.toFixed(),
      transactionId,
    ]),
  );

describe.each(ADAPTERS)('A purchase and its fee under one id, through $name', (adapter) => {
  const fetch = (
    rows: readonly ProviderTransaction[],
    options?: { days?: number; fails?: boolean },
  ) => fetchThrough(adapter, rows, options);

  it('are two rows whose ids do not depend on order, and neither makes the account incomplete', async () => {
    expect(await fetch([purchase, fee, other])).toEqual({ ...NOTHING, created: 3 });
    const before = await ids();
    expect(Object.keys(before).sort()).toEqual(['100', '3', '7']);
    expect(await fetch([fee, other, purchase])).toEqual(NOTHING);
    expect(await ids()).toEqual(before);
    const product = await storage.ctx.database.prisma.linkProduct.findFirstOrThrow({
      where: { linkPk: link.pk, product: 'transactions' },
    });
    expect(product.incomplete).toEqual([]);
  });

  it.each([
    ['the purchase', () => [purchase, fee] as const],
    ['the fee', () => [fee, purchase] as const],
  ])('keep the id of %s when the other comes later', async (_which, inOrder) => {
    const [first, second] = inOrder();
    await fetch([first, other]);
    const before = await ids();
    expect(await fetch([second, first, other])).toEqual({ ...NOTHING, created: 1 });
    expect(await ids()).toMatchObject(before);
  });

  it('keep their ids when a listing breaks off after either of them', async () => {
    await fetch([purchase, fee, other]);
    const before = await ids();
    for (const only of [fee, purchase, fee])
      expect(await fetch([only], { fails: true })).toEqual(NOTHING);
    expect(await fetch([fee, purchase, other])).toEqual(NOTHING);
    expect(await ids()).toEqual(before);
  });

  it('keep their ids when a shorter window has one of them', async () => {
    const old = rowOf('100.00', 'Garage', 12);
    await fetch([old, fee, other]);
    const before = await ids();
    expect(await fetch([fee, other], { days: 8 })).toEqual(NOTHING);
    expect(await fetch([old, fee, other])).toEqual(NOTHING);
    expect(await ids()).toEqual(before);
  });

  it('keep their ids, as does a third one that comes alone in a short window', async () => {
    const third = rowOf('9.00', 'Deposit', 2);
    const old = [rowOf('100.00', 'Garage', 40), rowOf('3.00', 'Foreign fee', 39)];
    await fetch(old);
    expect(await fetch([third], { days: 8 })).toEqual({ ...NOTHING, created: 1 });
    const before = await ids();
    expect(Object.keys(before).sort()).toEqual(['100', '3', '9']);
    expect(await fetch([third, ...old])).toEqual(NOTHING);
    expect(await fetch([third], { days: 8 })).toEqual(NOTHING);
    expect(await ids()).toEqual(before);
  });

  it('lose the one that a complete listing omits, and the other keeps its id', async () => {
    await fetch([purchase, fee, other]);
    const before = await ids();
    expect(await fetch([fee, other])).toEqual({ ...NOTHING, removed: 1 });
    expect(await ids()).toEqual({ 3: before['3'], 7: before['7'] });
    expect(await fetch([{ ...fee, amount: new Decimal(4) }, other])).toMatchObject(
      adapter.name === 'FDX' ? { ...NOTHING, updated: 1 } : {},
    );
  });

  it('are one row while one of them is listed alone and corrected', async () => {
    await fetch([purchase, other]);
    const before = await ids();
    expect(await fetch([{ ...purchase, amount: new Decimal(101) }, other])).toEqual({
      ...NOTHING,
      updated: 1,
    });
    expect(await ids()).toEqual({ 101: before['100'], 7: before['7'] });
  });
});

it('A purchase and its fee under one id of a source with stable ids are two rows that keep their ids', async () => {
  const stable: Adapter = { name: 'a', transactionIds: 'stable', read: (rows) => [...rows] };
  await fetchThrough(stable, [purchase, other]);
  const before = await ids();
  expect(await fetchThrough(stable, [fee, purchase, other])).toEqual({ ...NOTHING, created: 1 });
  expect(await fetchThrough(stable, [other, purchase, fee])).toEqual(NOTHING);
  expect(await ids()).toMatchObject(before);
  expect(await fetchThrough(stable, [purchase, other])).toEqual({ ...NOTHING, removed: 1 });
  expect(await ids()).toEqual(before);
  const corrected = { ...purchase, amount: new Decimal(101) };
  const fetched = await fetchThrough(stable, [corrected, other], { fails: true });
  expect(fetched).toEqual({ ...NOTHING, updated: 1 });
  expect(await ids()).toEqual({ 101: before['100'], 7: before['7'] });
});
