import { AccountSubtype, AccountType } from 'plaid';
import { NO_NUMBERS } from '../../domain/accounts/account-numbers.js';
import { grantProducts } from '../support/services/api-in-process.js';
import { refusalOf } from '../support/actors/plaid-client.js';
import { StoredItem } from '../support/fixtures/stored-item.js';
import { announcedBy, item, ROWS, service, startCauses } from './support/webhook-causes.js';

startCauses();

/** Types of which the source says as little as `unknown` does. */
const TYPES = ['unknown', 'other.other', 'a type of tomorrow'];
const IBAN = { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' };

/** An Item whose only accounts are of this type. */
async function itemOf(accountType: string): Promise<StoredItem> {
  const one = await StoredItem.linked(service.api, { products: ['account_numbers', 'identity'] });
  await one.fetchAccounts(
    { providerAccountId: 'checking', accountType },
    { providerAccountId: 'savings', accountType },
  );
  // A source that says nothing leaves the type that was known.
  await one.storeAccountType(accountType);
  return one;
}

describe.each(TYPES)('An account of the type %s', (accountType) => {
  let one: StoredItem;
  let token: { access_token: string };
  let checking: string;
  beforeAll(async () => {
    one = await itemOf(accountType);
    token = { access_token: one.accessToken };
    checking = (await one.accountIds())['checking'] ?? '';
    await one.fetchTransactions(
      { providerTransactionId: 'a' },
      { providerTransactionId: 'b', pending: true },
      { providerTransactionId: 'c', providerAccountId: 'savings' },
    );
  });

  it('is listed with a type and a subtype that Plaid knows', async () => {
    const { accounts } = (await service.plaid.accountsGet(token)).data;
    expect(accounts).toHaveLength(2);
    for (const { type, subtype } of accounts) {
      expect(Object.values(AccountType)).toContain(type);
      if (accountType !== 'a type of tomorrow')
        expect(Object.values(AccountSubtype)).toContain(subtype);
    }
  });

  it('has its rows in /transactions/get and /transactions/sync, complete and of each account', async () => {
    const listed = await service.plaid.transactionsGet({
      ...token,
      start_date: '2026-01-01',
      end_date: '2026-12-31',
    });
    expect(listed.data).toMatchObject({ total_transactions: 3 });
    expect(listed.data.accounts).toHaveLength(2);
    const all = (await service.plaid.transactionsSync(token)).data;
    expect(all).toMatchObject({
      transactions_update_status: 'HISTORICAL_UPDATE_COMPLETE',
      has_more: false,
    });
    expect(all.added).toHaveLength(3);
    expect(all.accounts).toHaveLength(2);
    const ofOne = await service.plaid.transactionsSync({
      ...token,
      options: { account_id: checking },
    });
    expect(ofOne.data.added).toHaveLength(2);
  });

  it('has its owners, and its numbers once the source has some', async () => {
    await one.fetchOwners({ checking: [{ ...OWNER, names: ['Robin Example'] }] });
    const { accounts } = (await service.plaid.identityGet(token)).data;
    expect(accounts.map(({ owners }) => owners[0]?.names)).toContainEqual(['Robin Example']);
    await one.fetchNumbers({});
    expect((await refusalOf(service.plaid.authGet(token))).at(-1)).toBe('NO_AUTH_ACCOUNTS');
    await one.fetchNumbers({ checking: { ...NO_NUMBERS, international: [IBAN] } });
    const { numbers } = (await service.plaid.authGet(token)).data;
    expect(numbers.international).toEqual([{ account_id: checking, ...IBAN }]);
  });

  it('announces its rows and numbers', async () => {
    const watched = await item();
    await grantProducts(service.api, watched.linkId, ['account_numbers']);
    await service.api.database.prisma.account.updateMany({
      where: { link: { linkId: watched.linkId } },
      data: { accountType },
    });
    await watched.fetchNumbers({});
    expect(await announcedBy(watched, () => watched.fetchTransactions(...ROWS))).toMatchObject([
      { code: 'TRANSACTIONS/INITIAL_UPDATE', new_transactions: 2 },
      { code: 'TRANSACTIONS/HISTORICAL_UPDATE', new_transactions: 2 },
    ]);
    const numbers = { checking: { ...NO_NUMBERS, international: [IBAN] } };
    expect(await announcedBy(watched, () => watched.fetchNumbers(numbers))).toMatchObject([
      { code: 'AUTH/DEFAULT_UPDATE' },
    ]);
  });
});

const OWNER = { names: [], emails: [], phoneNumbers: [], addresses: [] };
