import { Decimal } from 'decimal.js';
import { NO_NUMBERS } from '../../domain/accounts/account-numbers.js';
import { forceLink } from '../support/services/api-in-process.js';
import { refusalOf } from '../support/actors/plaid-client.js';
import { plaidServiceOfFile } from '../support/fixtures/plaid-service.js';
import { StoredItem } from '../support/fixtures/stored-item.js';

const REQUEST_ID = expect.stringMatching(/^[A-Za-z0-9]{15}$/);

const service = plaidServiceOfFile();
const OWNER = {
  names: ['Robin Example'],
  emails: [{ address: 'robin@example.test', primary: true }],
  phoneNumbers: [],
  addresses: [
    {
      street: null,
      city: 'Springfield',
      region: null,
      postalCode: null,
      country: 'US',
      primary: true,
    },
  ],
};

describe('/accounts/get', () => {
  it('returns the stored accounts with their Item', async () => {
    const item = await StoredItem.linked(service.api);
    await item.fetchAccounts(
      { providerAccountId: 'checking', name: 'Everyday Checking' },
      {
        providerAccountId: 'savings',
        accountType: 'liability.credit_card',
        limit: new Decimal('5000.00'),
        available: null,
      },
    );
    const { checking, savings } = await item.accountIds();
    const { status, data } = await service.plaid.accountsGet({ access_token: item.accessToken });
    expect(status).toBe(200);
    expect(data).toEqual({
      accounts: [
        {
          account_id: checking,
          name: 'Everyday Checking',
          official_name: null,
          mask: '1101',
          type: 'depository',
          subtype: 'checking',
          balances: {
            available: 2210.52,
            current: 2350,
            limit: null,
            iso_currency_code: 'USD',
            unofficial_currency_code: null,
          },
        },
        expect.objectContaining({
          account_id: savings,
          type: 'credit',
          subtype: 'credit card',
          balances: expect.objectContaining({ available: null, limit: 5000 }),
        }),
      ],
      item: {
        item_id: item.linkId,
        institution_id: 'sandbox-instant-bank',
        institution_name: 'sandbox-instant-bank',
        webhook: null,
        error: null,
        available_products: ['transactions'],
        billed_products: [],
        products: ['balance'],
        consented_products: ['balance', 'transactions'],
        consent_expiration_time: null,
        update_type: 'background',
        auth_method: null,
      },
      request_id: REQUEST_ID,
    });
  });

  it('returns only the requested accounts, and refuses unknown ones', async () => {
    const item = await StoredItem.linked(service.api);
    await item.fetchAccounts({ providerAccountId: 'checking' }, { providerAccountId: 'savings' });
    const { savings = '' } = await item.accountIds();
    const get = (account_ids: string[]) =>
      service.plaid.accountsGet({ access_token: item.accessToken, options: { account_ids } });
    expect((await get([savings])).data.accounts.map(({ account_id: id }) => id)).toEqual([savings]);
    expect(await refusalOf(get([savings, 'acc_unknown']))).toEqual([
      400,
      'INVALID_INPUT',
      'INVALID_ACCOUNT_ID',
    ]);
    expect(await refusalOf(get([]))).toEqual([400, 'INVALID_REQUEST', 'INVALID_FIELD']);
    expect(await refusalOf(get('all' as unknown as string[]))).toEqual([
      400,
      'INVALID_REQUEST',
      'INVALID_FIELD',
    ]);
  });

  it('returns NO_ACCOUNTS when all accounts are closed', async () => {
    const item = await StoredItem.linked(service.api);
    await item.fetchAccounts({ providerAccountId: 'checking' });
    await service.api.database.prisma.account.updateMany({
      where: { link: { linkId: item.linkId } },
      data: { closed: true },
    });
    expect(await refusalOf(service.plaid.accountsGet({ access_token: item.accessToken }))).toEqual([
      400,
      'ITEM_ERROR',
      'NO_ACCOUNTS',
    ]);
  });
});

describe('/auth/get', () => {
  it('returns numbers by scheme for the accounts that have them', async () => {
    const item = await StoredItem.linked(service.api, { products: ['account_numbers'] });
    await item.fetchAccounts(
      { providerAccountId: 'checking' },
      { providerAccountId: 'savings', accountType: 'liability.credit_card' },
    );
    const ach = (accountNumber: string) => ({
      ...NO_NUMBERS,
      ach: [{ accountNumber, routingNumber: '999000014', wireRoutingNumber: null }],
    });
    await item.fetchNumbers({ checking: ach('000100020001'), savings: ach('4') });
    const { checking } = await item.accountIds();
    const { data } = await service.plaid.authGet({ access_token: item.accessToken });
    expect(data.accounts).toHaveLength(2);
    expect(data.numbers).toEqual({
      ach: [
        { account_id: checking, account: '000100020001', routing: '999000014', wire_routing: null },
      ],
      eft: [],
      international: [],
      bacs: [],
    });
    expect(data.item).toMatchObject({ auth_method: 'INSTANT_AUTH', products: ['balance', 'auth'] });
  });

  it('returns NO_AUTH_ACCOUNTS when no account can have numbers', async () => {
    const item = await StoredItem.linked(service.api, { products: ['account_numbers'] });
    await item.fetchAccounts({
      providerAccountId: 'savings',
      accountType: 'liability.credit_card',
    });
    await item.fetchNumbers({});
    expect(await refusalOf(service.plaid.authGet({ access_token: item.accessToken }))).toEqual([
      400,
      'ITEM_ERROR',
      'NO_AUTH_ACCOUNTS',
    ]);
  });
});

describe('/identity/get', () => {
  it('returns all owners of an account as one', async () => {
    const item = await StoredItem.linked(service.api, { products: ['identity'] });
    await item.fetchAccounts({ providerAccountId: 'checking' }, { providerAccountId: 'savings' });
    await item.fetchOwners({ checking: [OWNER, { ...OWNER, names: ['Alex Example'] }] });
    const { data } = await service.plaid.identityGet({ access_token: item.accessToken });
    expect(data.accounts.map(({ owners }) => owners)).toEqual([
      [
        {
          names: ['Robin Example', 'Alex Example'],
          phone_numbers: [],
          emails: [{ data: 'robin@example.test', primary: true, type: 'primary' }],
          addresses: [
            {
              data: {
                street: '',
                city: 'Springfield',
                region: null,
                postal_code: null,
                country: 'US',
              },
              primary: true,
            },
          ],
        },
      ],
      [{ names: [], phone_numbers: [], emails: [], addresses: [] }],
    ]);
  });
});

describe('A read of a product', () => {
  it('requests a product that was never fetched, and waits for its first fetch', async () => {
    const item = await StoredItem.linked(service.api, {
      products: ['identity', 'account_numbers'],
    });
    await item.fetchAccounts({ providerAccountId: 'checking' });
    const identity = service.plaid.identityGet({ access_token: item.accessToken });
    await item.whenAsked('identity');
    await item.fetchOwners({ checking: [OWNER] });
    const { accounts: owned } = (await identity).data;
    expect(owned).toMatchObject([{ owners: [{ names: OWNER.names }] }]);

    const auth = service.plaid.authGet({ access_token: item.accessToken });
    await item.whenAsked('account_numbers');
    const ach = [{ accountNumber: '1101', routingNumber: '999000014', wireRoutingNumber: null }];
    await item.fetchNumbers({ checking: { ...NO_NUMBERS, ach } });
    expect((await auth).data).toMatchObject({
      item: { auth_method: 'INSTANT_AUTH' },
      numbers: { ach: [{ account: '1101', routing: '999000014' }] },
    });
  });

  it('returns the cause when the first fetch fails', async () => {
    const item = await StoredItem.linked(service.api, { products: ['identity'] });
    await item.fetchAccounts({ providerAccountId: 'checking' });
    const refusal = refusalOf(service.plaid.identityGet({ access_token: item.accessToken }));
    await item.refuseWhenAsked('identity', 'institution_timeout');
    expect(await refusal).toEqual([400, 'INSTITUTION_ERROR', 'INSTITUTION_NOT_RESPONDING']);
  });

  it('returns PRODUCT_NOT_READY before the first fetch while the bank has a fault', async () => {
    const item = await StoredItem.linked(service.api, { products: ['identity'] });
    await item.fetchAccounts({ providerAccountId: 'checking' });
    await forceLink(service.api, item.linkId, { state: 'error', errorCode: 'institution_error' });
    expect(await refusalOf(service.plaid.identityGet({ access_token: item.accessToken }))).toEqual([
      400,
      'ITEM_ERROR',
      'PRODUCT_NOT_READY',
    ]);
  });

  it('is refused when the user did not consent to the product', async () => {
    const item = await StoredItem.linked(service.api);
    expect(await refusalOf(service.plaid.authGet({ access_token: item.accessToken }))).toEqual([
      400,
      'ITEM_ERROR',
      'PRODUCTS_NOT_SUPPORTED',
    ]);
  });

  it('returns ITEM_LOGIN_REQUIRED after the login expired, even when there is data', async () => {
    const item = await StoredItem.linked(service.api);
    await item.fetchAccounts({ providerAccountId: 'checking' });
    await item.fetchTransactions({ providerTransactionId: 't' });
    await forceLink(service.api, item.linkId, { state: 'error', errorCode: 'auth_expired' });
    const { accessToken: access_token } = item;
    for (const call of [
      () => service.plaid.accountsGet({ access_token }),
      () => service.plaid.transactionsSync({ access_token }),
      () =>
        service.plaid.transactionsGet({
          access_token,
          start_date: '2026-01-01',
          end_date: '2026-12-31',
        }),
    ]) {
      expect(await refusalOf(call())).toEqual([400, 'ITEM_ERROR', 'ITEM_LOGIN_REQUIRED']);
    }
  });
});
