// cspell:ignore profitsharing
import type { SourceFault } from '../../../domain/refresh/source-fault.js';
import { Decimal } from 'decimal.js';
import { createFdxBank } from '../../../simulators/vendors/fdx/create-fdx-bank.js';
import type { FdxBank } from '../../../simulators/vendors/fdx/fdx-bank.types.js';
import { FDX_INSTITUTIONS } from '../../../simulators/vendors/fdx/institutions.js';
import { Ledger } from '../../../simulators/vendors/ledger/ledger.js';
import type { Account } from '../../../simulators/vendors/ledger/ledger.types.js';
import { createFdxProvider } from '../../../providers/fdx/fdx-adapter.js';
import type {
  Provider,
  ProviderAccess,
  ProviderTransaction,
} from '../../../providers/contract/provider.js';
import {
  linkAtFdx,
  pinnedFdxConfiguration,
} from '../../support/fixtures/fdx-bank-configuration.js';
import { accessWith, loginContext } from '../../support/fixtures/provider-calls.js';
import { testSimulator, type TestSimulator } from '../../support/services/vendor-simulators.js';
import { representatives } from '../../support/runner/representatives.js';

const day = (daysAgo: number): string =>
  new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);

describe('A listing through FDX', () => {
  let bank: FdxBank;
  let simulator: TestSimulator;
  let provider: Provider;
  beforeAll(async () => {
    bank = await createFdxBank({ ledger: new Ledger() });
    simulator = testSimulator(bank);
    provider = createFdxProvider(await pinnedFdxConfiguration(bank));
  });
  afterAll(() => bank.close());
  beforeEach(() => simulator.reset());

  async function link(remoteId: string): Promise<ProviderAccess> {
    return accessWith(await linkAtFdx(provider, loginContext({ remoteId })), remoteId);
  }

  async function ledgerAccounts(remoteId: string): Promise<Account[]> {
    const bankId = FDX_INSTITUTIONS.find(({ id }) => id === remoteId)?.bankId;
    const { customers } = await simulator.ledger();
    return customers
      .filter(({ id }) => id === 'trial')
      .flatMap(({ connections }) => connections)
      .filter((connection) => connection.bankId === bankId)
      .flatMap(({ accounts }) => accounts)
      .filter(({ currency }) => /^[A-Z]{3}$/.test(currency));
  }

  async function read(access: ProviderAccess) {
    const rows: ProviderTransaction[] = [];
    const unreported: string[] = [];
    const window = { from: day(400), to: day(0) };
    for await (const page of provider.fetchTransactions?.(access, window) ?? []) {
      expect(page.covered).toEqual(window);
      rows.push(...page.transactions);
      unreported.push(...(page.unreported ?? []));
    }
    return { rows, unreported };
  }

  const inOrder = (rows: string[][]): string[][] =>
    rows.toSorted((a, b) => a.join('|').localeCompare(b.join('|')));

  /** Rows and balances of the accounts that the ledger has. */
  async function expectEqualToLedger(access: ProviderAccess): Promise<void> {
    const theirs = await ledgerAccounts(access.remoteId);
    const [listed, { accounts }] = [await read(access), await provider.fetchAccounts(access)];
    const rows = listed.rows.filter((row) => theirs.some(({ id }) => id === row.providerAccountId));
    const expectedRows = theirs.flatMap((account) =>
      account.rows
        .filter((row) => row.day >= day(400) && row.day <= day(0))
        .map((row) => [
          `${account.id}/${row.id}`,
          account.id,
          row.day,
          row.amount.startsWith('-') ? 'debit' : 'credit',
          new Decimal(row.amount).abs().toFixed(),
          account.currency,
          row.status,
          row.description,
        ]),
    );
    expect(expectedRows.length).toBeGreaterThan(40);
    expect(
      inOrder(
        rows.map((row) => [
          row.providerTransactionId,
          row.providerAccountId,
          row.date,
          row.type,
          row.amount.toFixed(),
          row.currency,
          row.pending ? 'pending' : 'posted',
          row.rawDescription ?? '',
        ]),
      ),
    ).toEqual(inOrder(expectedRows));
    const shown = new Map(accounts.map((account) => [account.providerAccountId, account]));
    for (const { id, name, mask, currency, balances } of theirs) {
      const { accountType = '', current, available, limit, ...account } = shown.get(id) ?? {};
      expect(account).toMatchObject({ name, mask, currency });
      const owed = accountType.startsWith('liability.');
      expect((owed ? current?.neg() : current)?.eq(balances.current)).toBe(true);
      const money = [available, limit].map((amount) => amount?.toFixed() ?? null);
      const expected = [balances.available, balances.limit].map(
        (amount) => amount && new Decimal(amount).toFixed(),
      );
      expect(money).toEqual(accountType === 'liability.loan' ? [null, null] : expected);
    }
  }

  const ids = FDX_INSTITUTIONS.map(({ id }) => id);
  // The others differ in their logins, which redirect-login.test.ts has.
  it.each(representatives(ids, (id) => ['first-fdx', 'wealth-fdx'].includes(id)))(
    'equals the ledger row by row at %s',
    async (id) => {
      await expectEqualToLedger(await link(id));
    },
  );

  it.each([
    ['post_pending', {}],
    ['renew_ids', { from: day(30), to: day(10) }],
    ['add_row', { amount: '-0.3', status: 'pending' }],
    ['late_row', { amount: '1234567890123456.78', daysAgo: 20 }],
    ['withdraw_row', {}],
    ['change_balance', { current: '9007199254740993.01' }],
  ])('equals the ledger row by row after the script %s', async (name, params) => {
    const access = await link('plain-fdx');
    const account = (await ledgerAccounts('plain-fdx')).find(({ rows }) =>
      rows.some(({ status }) => status === 'pending'),
    );
    await read(access);
    await simulator.script(name, { account: account?.id, ...params });
    await expectEqualToLedger(access);
  });

  it('keeps all 19 digits of a balance', async () => {
    const { accounts } = await provider.fetchAccounts(await link('wealth-fdx'));
    expect(accounts.find(({ name }) => name === 'Brokerage')?.current?.toFixed()).toBe(
      '1234567890123456.789',
    );
  });

  it('lists accounts of every category, without balances where the bank shows none', async () => {
    const { accounts, unreported } = await provider.fetchAccounts(await link('wealth-fdx'));
    const typeOf = new Map(accounts.map(({ name, accountType }) => [name, accountType]));
    expect(Object.fromEntries(typeOf)).toMatchObject({
      Brokerage: 'investment.brokerage',
      'Fixed Annuity': 'investment.other',
      'Whole Life Policy': 'other.other',
      'Business Deposit': 'depository.other',
    });
    expect(accounts.find(({ name }) => name === 'Fixed Annuity')?.current).toBeNull();
    expect(unreported).toEqual([]);
  });

  it('has holdings whose values and cash are the balance of their account', async () => {
    const access = await link('wealth-fdx');
    const { accounts, holdings } = (await provider.fetchHoldings?.(access)) ?? {};
    const ofPlans = accounts?.filter(({ providerAccountId: id }) => !id.endsWith('-brokerage'));
    expect(ofPlans).toHaveLength(2);
    for (const { providerAccountId, balance, reportedCash } of ofPlans ?? []) {
      const its = holdings?.filter((it) => it.providerAccountId === providerAccountId) ?? [];
      const total = (all: typeof its) =>
        all.reduce((sum, { value }) => sum.plus(value ?? 0), new Decimal(0));
      const cash = reportedCash?.minus(total(its.filter(({ isCash }) => isCash === true)));
      expect(balance?.minus(total(its)).toFixed()).toBe(cash?.toFixed());
    }
    const types = new Set(holdings?.map(({ security }) => security.type));
    expect(types.size).toBe(6);
    expect(
      holdings?.find(({ contributionSource }) => contributionSource === 'profitsharing'),
    ).toMatchObject({ vestedQuantity: new Decimal(30) });
  });

  it('has no holdings, and incomplete accounts, where the user did not grant investments', async () => {
    const context = loginContext({ remoteId: 'wealth-fdx' });
    const outcome = await linkAtFdx(provider, { ...context, requestedProducts: ['accounts'] });
    const faults: SourceFault[] = [];
    const note = (fault: SourceFault) => void faults.push(fault);
    const access = { ...accessWith(outcome, 'wealth-fdx'), note };
    expect((await provider.fetchHoldings?.(access))?.accounts).toEqual([]);
    expect(faults.map(({ account, field }) => [account, field])).toEqual([
      ['trial-brokerage', 'holdings'],
      ['trial-portfolio', 'holdings'],
      ['trial-retirement', 'holdings'],
    ]);
  });

  it('has a transaction of every type, and the correction of one', async () => {
    const window = { from: day(30), to: day(0) };
    const access = await link('wealth-fdx');
    const { transactions } = (await provider.fetchInvestmentTransactions?.(access, window)) ?? {};
    expect(new Set(transactions?.map(({ sourceCode }) => sourceCode)).size).toBe(41);
    expect(transactions?.filter(({ cancels }) => cancels !== null)).toMatchObject([
      { type: 'buy', quantity: new Decimal(-12), amount: new Decimal('606.15') },
    ]);
  });

  it('has a debt of every kind', async () => {
    const debts = await provider.fetchLiabilities?.(await link('wealth-fdx'));
    expect(debts?.map(({ kind }) => kind)).toEqual([
      'credit',
      'loan',
      'mortgage',
      'student',
      'line_of_credit',
    ]);
  });

  it('reports nothing about one account that is down, and everything about the others', async () => {
    const access = await link('first-fdx');
    const [down, ...others] = await ledgerAccounts('first-fdx');
    if (down === undefined) throw new Error('the ledger has no account');
    await simulator.script('account_down', { account: down.id });
    const listing = await provider.fetchAccounts(access);
    expect(listing.unreported).toEqual([down.id]);
    expect(listing.accounts.map(({ providerAccountId }) => providerAccountId)).toEqual(
      others.map(({ id }) => id),
    );
    const { rows, unreported } = await read(access);
    expect(unreported).toEqual([down.id]);
    expect(new Set(rows.map(({ providerAccountId }) => providerAccountId)).size).toBeGreaterThan(0);
    expect(rows.some(({ providerAccountId }) => providerAccountId === down.id)).toBe(false);
    const faults: SourceFault[] = [];
    const noting = { ...access, note: (fault: SourceFault) => void faults.push(fault) };
    const numbers = await provider.fetchAccountNumbers?.(noting);
    expect(numbers).not.toHaveLength(0);
    expect(numbers?.some(({ providerAccountId }) => providerAccountId === down.id)).toBe(false);
    // Accounts that are not returned would count as gone.
    expect(faults).toContainEqual(expect.objectContaining({ scope: 'account', account: down.id }));
  });

  it.each([
    ['bank_down', { bank: 'harbour' }, 'institution_down'],
    ['quota_hit', { vendor: 'fdx', customer: 'trial', seconds: 60 }, 'rate_limited'],
    ['end_consent', { vendor: 'fdx', customer: 'trial' }, 'consent_expired'],
  ])('after the script %s fails with its cause', async (name, params, cause) => {
    const access = await link('first-fdx');
    await simulator.script(name, params);
    await expect(provider.fetchAccounts(access)).rejects.toMatchObject({ providerCause: cause });
    await expect(read(access)).rejects.toMatchObject({ providerCause: cause });
  });

  it('fails with no_accounts for a customer without accounts', async () => {
    const context = loginContext({ remoteId: 'wealth-fdx' });
    const linked = await linkAtFdx(provider, { ...context, remoteId: 'plain-fdx' }, 'empty');
    const fetched = provider.fetchAccounts(accessWith(linked, 'plain-fdx'));
    await expect(fetched).rejects.toMatchObject({ providerCause: 'no_accounts' });
  });

  it('fails with no_permission for data that the permission does not include', async () => {
    const context = loginContext({ remoteId: 'first-fdx', requestedProducts: ['accounts'] });
    const access = accessWith(await linkAtFdx(provider, context), 'first-fdx');
    const denied = { providerCause: 'no_permission' };
    await expect(provider.fetchAccounts(access)).resolves.toMatchObject({ unreported: [] });
    await expect(provider.fetchIdentity?.(access)).rejects.toMatchObject(denied);
    await expect(provider.fetchAccountNumbers?.(access)).rejects.toMatchObject(denied);
    await expect(read(access)).rejects.toMatchObject(denied);
  });
});
