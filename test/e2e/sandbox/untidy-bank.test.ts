import { eventually } from '../../support/assertions/eventually.js';
import type { AccountBody, TransactionsPage } from '../../support/actors/response-bodies.js';
import type { FaultBody } from '../../support/actors/sandbox-caller.js';
import { app, sandbox, serviceOfFile } from '../../support/fixtures/sandbox-service.js';

const BANK = 'sandbox-credentials-bank';

serviceOfFile();

const accountsOf = async (linkId: string) =>
  (await app.get<{ accounts: AccountBody[] }>(`/links/${linkId}/accounts`)).accounts;
const countRows = async (linkId: string) =>
  (await app.get<TransactionsPage>(`/links/${linkId}/transactions?size=1000&start_date=1900-01-01`))
    .total;

/** The accounts for which the last fetch of a product was incomplete. */
async function incompleteIn(linkId: string, product: string) {
  const { products } = await app.get<{
    products: Record<string, { incomplete: Record<string, unknown>[]; error_code: string | null }>;
  }>(`/links/${linkId}`);
  expect(products[product]?.error_code).toBeNull();
  return products[product]?.incomplete;
}

const refresh = (linkId: string, product: string) =>
  app.call('POST', `/links/${linkId}/products`, { body: { products: [product] } });

const breakAccount = () => sandbox.fault(BANK, { kind: 'unreadable_account', count: null });

/** Ends the remaining faults. */
async function mend(): Promise<void> {
  const { faults } = await sandbox.ask<{ faults: FaultBody[] }>(
    'GET',
    `/sandbox/institutions/${BANK}/faults`,
  );
  for (const { fault_id: id } of faults) await sandbox.send('DELETE', `/sandbox/faults/${id}`);
}
afterEach(mend);

describe('A sandbox bank with one part that cannot be read', () => {
  it('links the other accounts, names the broken one, and adds it once it can be read', async () => {
    const whole = await sandbox.link({ customer_user: { id: 'none-broken' } });
    const names = (await accountsOf(whole.link_id)).map(({ name }) => name);
    await breakAccount();
    const { link_id: linkId, link } = await sandbox.link({ customer_user: { id: 'one-broken' } });
    expect(link.state).toBe('connected');
    expect((await accountsOf(linkId)).map(({ name }) => name)).toEqual(names.slice(0, -1));
    expect(await incompleteIn(linkId, 'accounts')).toMatchObject([
      { account_id: null, account_name: names.at(-1), reason: 'unreadable' },
    ]);
    await mend();
    await refresh(linkId, 'accounts');
    await eventually(async () =>
      expect((await accountsOf(linkId)).map(({ name }) => name)).toEqual(names),
    );
    expect(await incompleteIn(linkId, 'accounts')).toEqual([]);
  });

  it('keeps an account that breaks later, names it, and is complete after the fault', async () => {
    const { link_id: linkId } = await sandbox.link({ customer_user: { id: 'breaks-later' } });
    const before = await accountsOf(linkId);
    await breakAccount();
    await refresh(linkId, 'accounts');
    await eventually(async () =>
      expect(await incompleteIn(linkId, 'accounts')).toMatchObject([
        { account_id: before.at(-1)?.account_id, reason: 'unreadable' },
      ]),
    );
    expect((await accountsOf(linkId)).map(({ account_id: id }) => id)).toEqual(
      before.map(({ account_id: id }) => id),
    );
    await mend();
    await refresh(linkId, 'accounts');
    await eventually(async () => expect(await incompleteIn(linkId, 'accounts')).toEqual([]));
  });

  it('delivers all rows but the broken one, and delivers that one after the fault', async () => {
    await sandbox.fault(BANK, { operation: 'transactions', kind: 'unreadable_row' });
    const { link_id: linkId } = await sandbox.link({ customer_user: { id: 'one-broken-row' } });
    expect(await countRows(linkId)).toBe(59);
    expect(await incompleteIn(linkId, 'transactions')).toMatchObject([
      { account_id: expect.any(String), reason: 'unreadable' },
    ]);
    await refresh(linkId, 'transactions');
    await eventually(async () => expect(await incompleteIn(linkId, 'transactions')).toEqual([]));
    expect(await countRows(linkId)).toBe(60);
  });
});
