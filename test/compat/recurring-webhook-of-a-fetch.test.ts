import { Products } from 'plaid';
import { addDays, utcDay } from '../../domain/api/timestamps.js';
import { plaidClient } from '../support/actors/plaid-client.js';
import { eventually } from '../support/assertions/eventually.js';
import { sandbox, service, serviceOfFile, truth } from '../support/fixtures/sandbox-service.js';

serviceOfFile();

const NAME = 'TRANSACTIONS.RECURRING_TRANSACTIONS_UPDATE';

/** Six biweekly payments at the bank. */
function payments() {
  const today = utcDay(new Date());
  return Array.from({ length: 6 }, (_, at) => ({
    verb: 'backdate',
    ref: `gym-${at}`,
    date: addDays(today, -1 - at * 14),
    amount: 19.99,
    description: 'Corner Gym',
  }));
}

it('RECURRING_TRANSACTIONS_UPDATE follows a fetch that changes recurring payments, once they were read', async () => {
  const { client_id: clientId, client_secret: secret } = service.app.sandbox;
  const plaid = plaidClient(service.info.base_url, {
    'PLAID-CLIENT-ID': clientId,
    'PLAID-SECRET': secret,
  });
  const { data } = await plaid.sandboxPublicTokenCreate({
    institution_id: 'ins_109508',
    initial_products: [Products.Transactions],
    options: { webhook: 'https://app.example/hook' },
  });
  const { access_token: token, item_id: itemId } = (
    await plaid.itemPublicTokenExchange({ public_token: data.public_token })
  ).data;
  const read = async () => (await plaid.transactionsRecurringGet({ access_token: token })).data;
  const sent = async () =>
    (await truth.events(itemId))
      .filter(({ webhook_event: name }) => name === NAME)
      .map(({ body }) => JSON.parse(body) as { item_id: string; account_ids: string[] });

  const before = await eventually(read, { every: 500 });
  expect(before.outflow_streams.map(({ description }) => description)).not.toContain('Corner Gym');
  await sandbox.script(itemId, payments());
  await eventually(async () => expect(await sent()).toHaveLength(1));
  const gym = (await read()).outflow_streams.find(
    ({ description }) => description === 'Corner Gym',
  );
  expect(await sent()).toEqual([
    expect.objectContaining({ item_id: itemId, account_ids: [gym?.account_id] }),
  ]);
});
