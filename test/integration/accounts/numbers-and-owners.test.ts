import { NO_NUMBERS, type AccountNumbers } from '../../../domain/accounts/account-numbers.js';
import type { Owner } from '../../../domain/accounts/account-owner.js';
import { PRODUCTS } from '../../../domain/link/products.js';
import type { IncompleteAccount } from '../../../domain/refresh/incomplete-answer.js';
import { AccountRepository } from '../../../prisma/links/accounts/account.repository.js';
import {
  account,
  beginFetch,
  storeLink,
  TENANT,
  announcementsOf,
  type StoredLink,
  storageOfFile,
  storage,
} from '../../support/fixtures/stored-link.js';

storageOfFile();

const ach = (accountNumber: string): AccountNumbers => ({
  ...NO_NUMBERS,
  ach: [{ accountNumber, routingNumber: '999000014', wireRoutingNumber: null }],
});
const achJson = (accountNumber: string) =>
  `{"ach":[{"account_number":"${accountNumber}","routing_number":"999000014","wire_routing_number":null}],"eft":[],"bacs":[],"international":[]}`;
const owner = (name: string): Owner => ({
  names: [name],
  addresses: [],
  phoneNumbers: [],
  emails: [],
});
const ownerJson = (name: string) =>
  `{"names":["${name}"],"addresses":[],"phone_numbers":[],"emails":[]}`;

describe('The numbers and owners of accounts', () => {
  let accounts: AccountRepository;
  beforeAll(() => {
    accounts = new AccountRepository(storage.ctx);
  });

  const newLink = () => storeLink(storage, { products: PRODUCTS });
  const storeNumbers = async (link: StoredLink, numbers: Record<string, AccountNumbers>) => {
    const run = await beginFetch(storage, link, 'account_numbers');
    return storage.refresh.storeAccountNumbers(
      link.linkId,
      run,
      Object.entries(numbers).map(([providerAccountId, its]) => ({
        providerAccountId,
        numbers: its,
      })),
    );
  };
  const storeOwners = async (
    link: StoredLink,
    owners: Record<string, Owner[]>,
    incomplete: readonly IncompleteAccount[] = [],
  ) => {
    const run = await beginFetch(storage, link, 'identity');
    return storage.refresh.storeIdentity(
      link.linkId,
      run,
      Object.entries(owners).map(([providerAccountId, its]) => ({
        providerAccountId,
        owners: its,
      })),
      incomplete,
    );
  };
  const numbersOf = async (link: StoredLink) =>
    named(link, await accounts.numbersOf(link.linkId, await accounts.list(TENANT, link.linkId)));
  const ownersOf = async (link: StoredLink) =>
    named(link, await accounts.ownersOf(await accounts.list(TENANT, link.linkId)));
  const named = (link: StoredLink, found: ReadonlyMap<string, string>) =>
    Object.fromEntries(
      [...link.accounts].flatMap(([name, id]) => (found.has(id) ? [[name, found.get(id)]] : [])),
    );
  const stamps = async (table: string) =>
    (
      await storage.ctx.database.pool.query(
        `SELECT account_pk, ctid::text FROM ${table} ORDER BY account_pk`,
      )
    ).rows;

  it('are stored for accounts the user permits, and each completes its product', async () => {
    const link = await newLink();
    expect(
      await storeNumbers(link, {
        checking: ach('000100020001'),
        private: ach('666'),
        unknown: ach('777'),
      }),
    ).toEqual({ changed: 1 });
    expect(
      await storeOwners(link, {
        checking: [owner('Robin'), owner('Alex')],
        card: [owner('Robin')],
        private: [owner('No One')],
      }),
    ).toEqual({ changed: 2 });
    expect(await numbersOf(link)).toEqual({ checking: achJson('000100020001') });
    expect(await ownersOf(link)).toEqual({
      checking: `${ownerJson('Robin')},${ownerJson('Alex')}`,
      card: ownerJson('Robin'),
    });
    expect(await announcementsOf(storage, link)).toEqual([
      'product_refresh account_numbers completed',
      'product_refresh identity completed',
    ]);
    const stored = await storage.ctx.database.prisma.accountNumber.findMany({
      where: { account: { linkPk: link.pk } },
    });
    expect(stored).toHaveLength(1);
    expect(Buffer.from(stored[0]?.sealed ?? []).includes('000100020001')).toBe(false);
  });

  it('keep an owner that may be the one that could not be read', async () => {
    const link = await newLink();
    await storeOwners(link, { checking: [owner('Robin'), owner('Alex')], card: [owner('Robin')] });
    const unreadable = {
      providerAccountId: null,
      name: null,
      reason: 'unreadable',
      resource: 'owner',
      field: '',
      fault: 'missing',
    } as const;
    const fewer = { checking: [owner('Robin')], card: [owner('Kim')] };
    expect(await storeOwners(link, fewer, [unreadable])).toEqual({ changed: 1 });
    expect(await ownersOf(link)).toEqual({
      checking: `${ownerJson('Robin')},${ownerJson('Alex')}`,
      card: ownerJson('Kim'),
    });
    expect(await storeOwners(link, fewer)).toEqual({ changed: 1 });
    expect(await ownersOf(link)).toMatchObject({ checking: ownerJson('Robin') });
  });

  it('write nothing when nothing changed', async () => {
    const link = await newLink();
    await storeNumbers(link, { checking: ach('1') });
    await storeOwners(link, { checking: [owner('Robin')] });
    const both = async () => ({
      numbers: await stamps('account_numbers'),
      owners: await stamps('account_owners'),
    });
    const before = await both();
    expect(await storeNumbers(link, { checking: ach('1') })).toEqual({ changed: 0 });
    expect(await storeOwners(link, { checking: [owner('Robin')] })).toEqual({ changed: 0 });
    expect(await both()).toEqual(before);
  });

  it('are replaced by the values that the institution reports now', async () => {
    const link = await newLink();
    await storeNumbers(link, { checking: ach('1'), card: ach('2') });
    await storeOwners(link, { checking: [owner('Robin'), owner('Alex')], card: [owner('Robin')] });
    expect(await storeNumbers(link, { checking: ach('3'), card: NO_NUMBERS })).toEqual({
      changed: 2,
    });
    expect(await storeOwners(link, { checking: [owner('Alex')] })).toEqual({ changed: 2 });
    expect(await numbersOf(link)).toEqual({ checking: achJson('3') });
    expect(await ownersOf(link)).toEqual({ checking: ownerJson('Alex') });
  });

  it('leave closed accounts unchanged', async () => {
    const link = await newLink();
    await storeNumbers(link, { checking: ach('1'), card: ach('2') });
    await storage.refresh.storeAccounts(link.linkId, await beginFetch(storage, link, 'accounts'), [
      account('checking'),
    ]);
    expect(await storeNumbers(link, { checking: ach('1'), card: ach('9') })).toEqual({
      changed: 0,
    });
    expect(await numbersOf(link)).toEqual({ checking: achJson('1') });
    const all = await accounts.byIds(TENANT, link.linkId, [...link.accounts.values()]);
    expect(named(link, await accounts.numbersOf(link.linkId, all))).toEqual({
      checking: achJson('1'),
      card: achJson('2'),
    });
  });

  it('cannot be stored by a superseded run', async () => {
    const link = await newLink();
    const stale = await beginFetch(storage, link, 'account_numbers');
    await storage.refresh.beginRun(link.linkId);
    await expect(
      storage.refresh.storeAccountNumbers(link.linkId, stale, [
        { providerAccountId: 'checking', numbers: ach('1') },
      ]),
    ).rejects.toThrow('may not write any more');
    expect(await numbersOf(link)).toEqual({});
  });

  it('become unreadable when the key of the link is erased', async () => {
    const link = await newLink();
    await storeNumbers(link, { checking: ach('1') });
    await storage.ctx.database.transaction((tx) =>
      storage.ctx.sealer.eraseKey(tx, `link/${link.linkId}`),
    );
    expect(await numbersOf(link)).toEqual({});
  });
});
