// cspell:ignoreRegExp /\b[A-Z0-9]{3,}\b/g
import { ProviderFailure } from '../../../../domain/errors/provider-failure.js';
import { fetchHoldings } from '../../../../providers/fdx/data/fetch-holdings.js';
import { fetchInvestmentTransactions } from '../../../../providers/fdx/data/fetch-investment-transactions.js';
import { fetchLiabilities } from '../../../../providers/fdx/data/fetch-liabilities.js';
import type { ReadResource } from '../../../../providers/fdx/data/resource-reader.js';
import { failureOfResource } from '../../../../providers/fdx/failure-table.js';
import type { FdxInstitution } from '../../../../providers/fdx/settings.js';
import { RemoteObject } from '../../../../providers/http/remote-object.js';
import { accountFacts } from '../../../support/fixtures/account-facts.js';
import { asSent } from './support/fdx-bodies.js';
import { collectFaults, faults, scope } from './support/fdx-faults.js';

collectFaults();

const BANK = { country: 'US', historyDays: 100, rates: 'percent' } as FdxInstitution;
const TODAY = '2026-11-29';
const WINDOW = { from: '2026-11-01', to: TODAY };
const { note } = scope;

const down = failureOfResource(500, { code: '501', isPage: false, retryAfter: undefined });
const notOffered = failureOfResource(404, { code: '701', isPage: false, retryAfter: undefined });

/** A bank with accounts by category and type, which responds to every path as given. */
function bankWith(
  accounts: Readonly<Record<string, readonly [category: string, type: string]>>,
  answers: Readonly<Record<string, object>>,
) {
  const calls: string[] = [];
  const read: ReadResource = (path, _query, readScope) => {
    const address = path.join('/');
    calls.push(address);
    const listed = Object.entries(accounts).map(([accountId, [accountCategory, accountType]]) => ({
      accountId,
      accountCategory,
      accountType,
      currency: { currencyCode: 'USD' },
    }));
    const answer = address === 'accounts' ? { accounts: listed } : (answers[address] ?? notOffered);
    return answer instanceof ProviderFailure
      ? Promise.reject(answer)
      : Promise.resolve(new RemoteObject(asSent(answer), 'response', readScope));
  };
  return { read, calls };
}

const TWO_BROKERS = {
  checking: ['DEPOSIT_ACCOUNT', 'CHECKING'],
  one: ['INVESTMENT_ACCOUNT', 'TAXABLE'],
  two: ['INVESTMENT_ACCOUNT', '401K'],
} as const;
const DETAILS = { currentValue: 10, holdings: [{ holdingId: 'h', units: 1, marketValue: 10 }] };
const ROW = {
  transactionId: 't',
  transactionTimestamp: '2026-11-20',
  transactionType: 'FEE',
  amount: 1,
};

const refusedAt = (account: string) =>
  expect.objectContaining({ scope: 'account', account, reason: 'refused' });

describe('Holdings of an FDX permission', () => {
  const fetch = (read: ReadResource, noting = {}) =>
    fetchHoldings(read, BANK, { note, ...noting }, TODAY);

  it('are read from the details of investment accounts alone', async () => {
    const bank = bankWith(TWO_BROKERS, { 'accounts/one': DETAILS, 'accounts/two': DETAILS });
    const { accounts, holdings } = await fetch(bank.read);
    expect(accounts.map((it) => it.providerAccountId)).toEqual(['one', 'two']);
    expect(holdings).toHaveLength(2);
    expect(bank.calls).toEqual(['accounts', 'accounts/one', 'accounts/two']);
    expect(faults).toEqual([]);
  });

  it('stay as they are in one account whose details are refused', async () => {
    const bank = bankWith(TWO_BROKERS, { 'accounts/one': down, 'accounts/two': DETAILS });
    const { accounts } = await fetch(bank.read);
    expect(accounts.map((it) => it.providerAccountId)).toEqual(['two']);
    expect(faults).toEqual([refusedAt('one')]);
  });

  it('fail when the details of every account are refused', async () => {
    const bank = bankWith(TWO_BROKERS, { 'accounts/one': down, 'accounts/two': down });
    await expect(fetch(bank.read)).rejects.toMatchObject({ providerCause: 'institution_down' });
  });

  it('are none where no account is an investment', async () => {
    const bank = bankWith({ checking: TWO_BROKERS.checking }, {});
    expect(await fetch(bank.read)).toEqual({ accounts: [], holdings: [] });
    expect(bank.calls).toEqual(['accounts']);
  });

  it('are incomplete for a known investment account that is missing, and for no other one', async () => {
    const bank = bankWith(TWO_BROKERS, { 'accounts/one': DETAILS, 'accounts/two': DETAILS });
    await fetch(bank.read, {
      knownAccounts: ['checking', 'one', 'two', 'gone-card', 'gone-broker'],
      accountFacts: new Map([
        ['gone-card', accountFacts('liability.credit_card')],
        ['gone-broker', accountFacts('investment.brokerage')],
      ]),
    });
    expect(faults).toMatchObject([{ scope: 'account', account: 'gone-broker', reason: 'missing' }]);
  });
});

describe('Investment transactions of an FDX permission', () => {
  const fetch = (read: ReadResource) =>
    fetchInvestmentTransactions(read, BANK, WINDOW, { noting: { note }, today: TODAY });
  const rows = (...transactions: readonly unknown[]) => ({ transactions });

  it('are the rows of investment accounts in the window', async () => {
    const early = { ...ROW, transactionId: 'early', transactionTimestamp: '2026-10-31' };
    const bank = bankWith(TWO_BROKERS, {
      'accounts/one/transactions': rows(ROW, early),
      'accounts/two/transactions': rows(ROW),
    });
    const { transactions, window } = await fetch(bank.read);
    expect(transactions.map((it) => it.providerTransactionId)).toEqual(['one/t', 'two/t']);
    expect(window).toEqual(WINDOW);
  });

  it('are read without one row that is unreadable, which makes its account incomplete', async () => {
    const bank = bankWith(TWO_BROKERS, {
      'accounts/one/transactions': rows(ROW, 'row', { ...ROW, transactionTimestamp: undefined }),
      'accounts/two/transactions': rows(ROW),
    });
    expect((await fetch(bank.read)).transactions).toHaveLength(2);
    expect(faults.map(({ scope: of, account }) => [of, account])).toEqual([
      ['row', 'one'],
      ['row', 'one'],
    ]);
  });

  it('of one account that is refused stay, and fail when every account is', async () => {
    const half = bankWith(TWO_BROKERS, {
      'accounts/one/transactions': down,
      'accounts/two/transactions': rows(ROW),
    });
    expect((await fetch(half.read)).transactions).toHaveLength(1);
    expect(faults).toEqual([refusedAt('one')]);
    const none = bankWith(TWO_BROKERS, {
      'accounts/one/transactions': down,
      'accounts/two/transactions': down,
    });
    await expect(fetch(none.read)).rejects.toMatchObject({ providerCause: 'institution_down' });
  });

  it('cover no day at a bank that lists none', async () => {
    expect(await fetch(bankWith(TWO_BROKERS, {}).read)).toEqual({ transactions: [], window: null });
  });
});

describe('Debts of an FDX permission', () => {
  const fetch = (read: ReadResource) => fetchLiabilities(read, BANK, { note });

  it('are the cards, credit lines and loans, by type, else by category', async () => {
    const accounts = {
      checking: ['DEPOSIT_ACCOUNT', 'CHECKING'],
      card: ['LOC_ACCOUNT', 'CREDITCARD'],
      line: ['LOC_ACCOUNT', 'HOMELINEOFCREDIT'],
      home: ['LOAN_ACCOUNT', 'MORTGAGE'],
      study: ['LOAN_ACCOUNT', 'STUDENTLOAN'],
      car: ['LOAN_ACCOUNT', 'AUTOLOAN'],
      odd: ['LOAN_ACCOUNT', 'CHECKING'],
    } as const;
    const ids = Object.keys(accounts).slice(1);
    const bank = bankWith(accounts, Object.fromEntries(ids.map((id) => [`accounts/${id}`, {}])));
    expect((await fetch(bank.read)).map((it) => [it.providerAccountId, it.kind])).toEqual([
      ['card', 'credit'],
      ['line', 'line_of_credit'],
      ['home', 'mortgage'],
      ['study', 'student'],
      ['car', 'loan'],
      ['odd', 'loan'],
    ]);
    expect(bank.calls).not.toContain('accounts/checking');
  });

  it('stay as they are in one account that is refused, and fail when every account is', async () => {
    const accounts = {
      card: ['LOC_ACCOUNT', 'CREDITCARD'],
      home: ['LOAN_ACCOUNT', 'MORTGAGE'],
    } as const;
    const half = bankWith(accounts, { 'accounts/card': down, 'accounts/home': {} });
    expect((await fetch(half.read)).map((it) => it.kind)).toEqual(['mortgage']);
    expect(faults).toEqual([refusedAt('card')]);
    const none = bankWith(accounts, { 'accounts/card': down, 'accounts/home': down });
    await expect(fetch(none.read)).rejects.toMatchObject({ providerCause: 'institution_down' });
  });
});
