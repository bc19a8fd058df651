import { Decimal } from 'decimal.js';
import type {
  AccountListing,
  ProviderTransactionPage,
} from '../../../providers/contract/provider.js';
import { addDays, utcDay } from '../../../domain/api/timestamps.js';
import {
  refreshesAt,
  storePermittedLink,
  testProvider,
} from '../../support/fixtures/fetching-link.js';
import { GENEROUS_FACTS } from '../../support/fixtures/provider-calls.js';
import {
  account,
  currentRows,
  row,
  type StoredLink,
  storageOfFile,
  storage,
} from '../../support/fixtures/stored-link.js';

storageOfFile();

let listing: AccountListing;
let pages: ProviderTransactionPage[];

const DAY = addDays(utcDay(new Date()), -5);
const sourceWith = (transactionIds: 'stable' | 'unreliable') =>
  testProvider({
    facts: { ...GENEROUS_FACTS, transactionIds },
    fetchAccounts: () => Promise.resolve(listing),
    async *fetchTransactions() {
      yield* pages;
    },
  });
const accountOf = (link: StoredLink, providerAccountId: string) =>
  storage.ctx.database.prisma.account.findFirstOrThrow({
    where: { linkPk: link.pk, providerAccountId },
  });
const fetchAccounts = (link: StoredLink) =>
  refreshesAt(storage, sourceWith('stable')).fetch(link, 'accounts');

describe('A source that reports nothing about one account', () => {
  it('does not close that account, keeps its balances, and closes the others that it does not list', async () => {
    const link = await storePermittedLink(storage);
    listing = { accounts: [account('card', { current: new Decimal(7) })], unreported: [] };
    await fetchAccounts(link);
    expect((await accountOf(link, 'checking')).closed).toBe(true);

    const other = await storePermittedLink(storage);
    const before = await accountOf(other, 'checking');
    listing = { ...listing, unreported: ['checking'] };
    await fetchAccounts(other);
    expect(await accountOf(other, 'checking')).toEqual(before);
    expect((await accountOf(other, 'card')).current?.toFixed()).toBe('7');
  });

  it('may leave it out, since it receives the open accounts of the link', async () => {
    const link = await storePermittedLink(storage);
    let known: readonly string[] | undefined;
    const source = testProvider({
      fetchAccounts: ({ knownAccounts }) => {
        known = knownAccounts;
        return Promise.resolve({ accounts: [account('card')], unreported: knownAccounts ?? [] });
      },
    });
    await refreshesAt(storage, source).fetch(link, 'accounts');
    expect([...(known ?? [])].sort()).toEqual(['card', 'checking', 'private']);
    expect((await accountOf(link, 'checking')).closed).toBe(false);
  });

  it('does not have it mistaken for an account that was reissued under another id', async () => {
    const link = await storePermittedLink(storage, { products: ['accounts', 'account_numbers'] });
    const number = (providerAccountId: string, mask: string) =>
      account(providerAccountId, { mask, identifiers: { number: '000123456789', owners: [] } });
    await storage.ctx.database.prisma.account.updateMany({
      where: { linkPk: link.pk, providerAccountId: 'card' },
      data: { providerAccountId: 'import:card', mask: '1101' },
    });
    listing = { accounts: [number('other', '1101')], unreported: ['import:card', 'checking'] };
    await fetchAccounts(link);
    expect((await accountOf(link, 'import:card')).closed).toBe(false);
  });

  it('fails as institution_down when it reports nothing about any account', async () => {
    const link = await storePermittedLink(storage);
    listing = { accounts: [], unreported: ['checking', 'card'] };
    await expect(fetchAccounts(link)).rejects.toMatchObject({ providerCause: 'institution_down' });
    listing = { accounts: [], unreported: [] };
    const another = await storePermittedLink(storage);
    await expect(fetchAccounts(another)).rejects.toMatchObject({ providerCause: 'no_accounts' });
    expect((await accountOf(another, 'checking')).closed).toBe(false);
  });

  it.each(['stable', 'unreliable'] as const)(
    'removes none of its rows, with ids that are %s, and removes those of the others as usual',
    async (ids) => {
      const { fetch } = refreshesAt(storage, sourceWith(ids));
      const link = await storePermittedLink(storage);
      const rows = [
        row('checking 1', { date: DAY }),
        row('checking 2', { date: DAY, amount: new Decimal(90), description: 'Rent' }),
        row('card 1', { date: DAY, providerAccountId: 'card' }),
        row('card 2', { date: DAY, providerAccountId: 'card', amount: new Decimal(30) }),
      ];
      pages = [{ transactions: rows }];
      expect(await fetch(link, 'transactions')).toMatchObject({ created: 4 });
      // Named on different pages, and on the first one only.
      pages = [
        { transactions: rows.slice(2, 3), unreported: ['checking'] },
        { transactions: [], unreported: [] },
      ];
      expect(await fetch(link, 'transactions')).toMatchObject({
        created: 0,
        updated: 0,
        removed: 1,
      });
      const left = (await currentRows(storage, link)).map((each) => each.providerTransactionId);
      expect(left.sort()).toEqual(['card 1', 'checking 1', 'checking 2']);
    },
  );
});
