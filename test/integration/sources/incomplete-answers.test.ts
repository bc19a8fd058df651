import { Decimal } from 'decimal.js';
import type { Product } from '../../../domain/link/products.js';
import type { SourceFault } from '../../../domain/refresh/source-fault.js';
import { addDays, utcDay } from '../../../domain/api/timestamps.js';
import type { ProviderTransaction } from '../../../providers/contract/provider.js';
import { refreshesAt, storePermittedLink } from '../../support/fixtures/fetching-link.js';
import {
  faultOf,
  numbersOf,
  ownersOf,
  scriptedSource,
  type ScriptedAnswer,
} from './scripted-source.js';
import {
  account,
  currentRows,
  row,
  type StoredLink,
  storageOfFile,
  storage,
} from '../../support/fixtures/stored-link.js';

const PRODUCTS: readonly Product[] = ['accounts', 'account_numbers', 'identity', 'transactions'];
const DAY = addDays(utcDay(new Date()), -5);

storageOfFile();

let answer: ScriptedAnswer;

const WHOLE: ScriptedAnswer = {
  accounts: [account('checking'), account('card')],
  unreported: [],
  numbers: [numbersOf('checking'), numbersOf('card')],
  owners: [ownersOf('checking'), ownersOf('card')],
  rows: ['checking', 'card'].flatMap((id) =>
    [1, 2].map((amount) =>
      row(`${id} ${amount}`, { providerAccountId: id, amount: new Decimal(amount), date: DAY }),
    ),
  ),
  faults: [],
};
const source = () => scriptedSource(() => answer);

/** A link with everything that `WHOLE` contains. */
async function filledLink(): Promise<StoredLink> {
  const link = await storePermittedLink(storage, { products: PRODUCTS });
  answer = WHOLE;
  await fetchAll(link);
  return link;
}

async function fetchAll(link: StoredLink): Promise<void> {
  const { fetch } = refreshesAt(storage, source());
  for (const product of PRODUCTS) await fetch(link, product);
}

/** The stored data of an account: whether it is open, its numbers and owners, its rows. */
async function storedOf(link: StoredLink, providerAccountId: string) {
  const found = await storage.ctx.database.prisma.account.findFirstOrThrow({
    where: { linkPk: link.pk, providerAccountId },
    include: { numbers: true, owners: true },
  });
  const rows = (await currentRows(storage, link)).filter(
    ({ accountId }) => accountId === found.accountId,
  );
  return {
    open: !found.closed,
    numbers: found.numbers !== null,
    owners: found.owners.length,
    rows: rows.map(({ providerTransactionId }) => providerTransactionId).sort(),
  };
}

const KEPT = (id: string) => ({
  open: true,
  numbers: true,
  owners: 1,
  rows: [`${id} 1`, `${id} 2`],
});
const GONE = { open: false, numbers: true, owners: 1, rows: ['card 1', 'card 2'] };
const WITHOUT_CARD: Omit<ScriptedAnswer, 'faults'> = {
  accounts: [account('checking')],
  unreported: [],
  numbers: [numbersOf('checking')],
  owners: [ownersOf('checking')],
  rows: WHOLE.rows.filter(({ providerAccountId }) => providerAccountId === 'checking'),
};

describe('A response in which an account could not be read', () => {
  it.each<[string, SourceFault[]]>([
    ['the account itself', [faultOf('account', 'card')]],
    ['a row of it', [faultOf('row', 'card')]],
    ['something of an unknown account', [faultOf('account', null)]],
    ['a row of an unknown account', [faultOf('row', null)]],
  ])('removes nothing from an account that it lacks: %s', async (_what, faults) => {
    const link = await filledLink();
    answer = { ...WITHOUT_CARD, faults };
    await fetchAll(link);
    expect(await storedOf(link, 'card')).toEqual(KEPT('card'));
    expect(await storedOf(link, 'checking')).toEqual(KEPT('checking'));
  });

  it('removes data that is missing from the other accounts, and from all where only a value is unreadable', async () => {
    const link = await filledLink();
    answer = { ...WITHOUT_CARD, faults: [faultOf('account', 'checking')], rows: [] };
    await fetchAll(link);
    expect(await storedOf(link, 'checking')).toEqual(KEPT('checking'));
    expect(await storedOf(link, 'card')).toEqual(GONE);

    const other = await filledLink();
    answer = { ...WITHOUT_CARD, faults: [faultOf('value', 'card')] };
    await refreshesAt(storage, source()).fetch(other, 'transactions');
    expect((await storedOf(other, 'card')).rows).toEqual([]);
    await fetchAll(other);
    expect((await storedOf(other, 'card')).open).toBe(false);
  });

  it('stores the readable data of the incomplete account', async () => {
    const link = await filledLink();
    answer = {
      ...WHOLE,
      accounts: [account('checking'), account('card', { current: new Decimal(7) })],
      rows: [row('card 3', { providerAccountId: 'card', date: DAY })],
      faults: [faultOf('row', 'card')],
    };
    await fetchAll(link);
    const found = await storage.ctx.database.prisma.account.findFirstOrThrow({
      where: { linkPk: link.pk, providerAccountId: 'card' },
    });
    expect(found.current?.toFixed()).toBe('7');
    expect((await storedOf(link, 'card')).rows).toEqual(['card 1', 'card 2', 'card 3']);
    expect((await storedOf(link, 'checking')).rows).toEqual([]);
  });

  it('stores the numbers of an incomplete account that has none yet', async () => {
    const link = await storePermittedLink(storage, { products: PRODUCTS });
    answer = { ...WHOLE, faults: [faultOf('row', 'card')] };
    await fetchAll(link);
    expect(await storedOf(link, 'card')).toEqual(KEPT('card'));
  });

  it('fails as malformed where none of its accounts could be read', async () => {
    const link = await filledLink();
    answer = { ...WHOLE, accounts: [], faults: [faultOf('account', null)] };
    await expect(refreshesAt(storage, source()).fetch(link, 'accounts')).rejects.toMatchObject({
      providerCause: 'malformed',
    });
    expect(await storedOf(link, 'card')).toEqual(KEPT('card'));
  });

  it('leaves the ids of its other rows to be matched by content in the next response', async () => {
    const link = await filledLink();
    const { prisma } = storage.ctx.database;
    const before = await currentRows(storage, link);
    await prisma.link.update({ where: { pk: link.pk }, data: { matchRows: true } });
    const renamed = WHOLE.rows.map((each) => ({
      ...each,
      providerTransactionId: `new ${each.providerTransactionId}`,
    }));
    const { fetch } = refreshesAt(storage, source());
    answer = { ...WHOLE, rows: renamed.slice(0, 2), faults: [faultOf('row', 'card')] };
    await fetch(link, 'transactions');
    answer = { ...WHOLE, rows: renamed };
    await fetch(link, 'transactions');
    const after = await currentRows(storage, link);
    expect(new Map(after.map((each) => [each.transactionId, each.providerTransactionId]))).toEqual(
      new Map(before.map((each) => [each.transactionId, `new ${each.providerTransactionId}`])),
    );
  });
});

describe('A listing that contains a transaction id twice', () => {
  it.each([
    ['withdraws no row of its account if the two rows differ', 'Other shop', 2],
    ['is complete where it is the same row again', 'Corner Cafe', 1],
  ])('stores it once, and %s', async (_what, description, kept) => {
    const link = await filledLink();
    const first = WHOLE.rows[0] as ProviderTransaction;
    answer = { ...WHOLE, rows: [first, { ...first, description }] };
    await refreshesAt(storage, source()).fetch(link, 'transactions');
    expect((await storedOf(link, 'checking')).rows).toHaveLength(kept);
    expect((await storedOf(link, 'card')).rows).toEqual([]);
  });
});
