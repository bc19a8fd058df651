import { CountryCode, Products, type PlaidApi, type Transaction } from 'plaid';
import {
  CREDENTIALS_BANK,
  goThroughCredentialsBank,
} from '../support/actors/credentials-journey.js';
import { eventually } from '../support/assertions/eventually.js';
import { ConnectVisit } from '../support/actors/link-journey.js';
import { plaidClient, refusalOf } from '../support/actors/plaid-client.js';
import { service, serviceOfFile } from '../support/fixtures/sandbox-service.js';

serviceOfFile();

let plaid: PlaidApi;
beforeAll(() => {
  const { client_id: clientId, client_secret: secret } = service.app.sandbox;
  const headers = { 'PLAID-CLIENT-ID': clientId, 'PLAID-SECRET': secret };
  plaid = plaidClient(service.info.base_url, headers);
});

/** A row of the table in plaid/pattern, whose columns accept no null. It is not validated first. */
function storable(transaction: Transaction) {
  return {
    plaid_transaction_id: transaction.transaction_id,
    plaid_category_id: transaction.category_id,
    category: (transaction.category as string[]).join(', '),
    type: transaction.transaction_type,
    name: transaction.name,
    amount: transaction.amount,
    iso_currency_code: transaction.iso_currency_code,
    date: transaction.date,
    pending: transaction.pending,
    primary: (transaction.personal_finance_category as { primary: string }).primary,
    detailed: (transaction.personal_finance_category as { detailed: string }).detailed,
  };
}

const USER = {
  user: { client_user_id: 'pattern-user' },
  client_name: 'Pattern',
  country_codes: [CountryCode.Us],
  language: 'en',
};

/** The actions of a user in Link with a token of either mode. */
async function goThroughLink(linkToken: string): Promise<ConnectVisit> {
  const visit = await ConnectVisit.open(service.info.base_url, linkToken);
  await visit.choose(CREDENTIALS_BANK);
  const view = await goThroughCredentialsBank(visit, 'user_good');
  expect(view.step.kind).toBe('success');
  return visit;
}

it('An app that works like plaid/pattern links, stores every transaction, repairs the item in Link and removes it', async () => {
  const { data: created } = await plaid.linkTokenCreate({
    ...USER,
    products: [Products.Transactions],
  });
  const linked = await (await goThroughLink(created.link_token)).finish();
  const { data: item } = await plaid.itemPublicTokenExchange({
    public_token: linked.exchangeable_token,
  });
  const access = { access_token: item.access_token };

  const added = await eventually(async () => {
    const { data } = await plaid.transactionsSync({ ...access, count: 500 });
    expect(data.added.length).toBeGreaterThan(0);
    return data.added;
  });
  for (const row of added.map(storable)) {
    expect(
      Object.entries(row).filter(([, value]) => value === null || value === undefined),
    ).toEqual([]);
  }

  await plaid.sandboxItemResetLogin(access);
  const errorOfItem = async () => (await plaid.itemGet(access)).data.item.error?.error_code ?? null;
  expect(await errorOfItem()).toBe('ITEM_LOGIN_REQUIRED');
  const { data: update } = await plaid.linkTokenCreate({ ...USER, ...access });
  await (await goThroughLink(update.link_token)).finish();
  expect(await errorOfItem()).toBeNull();

  await plaid.itemRemove(access);
  expect(await refusalOf(plaid.itemGet(access))).toEqual([400, 'ITEM_ERROR', 'ITEM_NOT_FOUND']);
});
