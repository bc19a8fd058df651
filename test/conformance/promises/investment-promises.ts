import { LIABILITY_KINDS } from '../../../domain/liabilities/liability.js';
import { SECURITY_TYPES } from '../../../domain/investments/security-types.js';
import { INVESTMENT_TRANSACTION_TYPES } from '../../../domain/investments/investment-transaction-types.js';
import type { ProviderAccess } from '../../../providers/contract/provider.js';
import { storedFacts } from '../../support/fixtures/account-facts.js';
import { doesNotApply } from '../kept-promises.js';
import { lastDays, type PromiseCalls } from './promise-calls.js';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Holdings, their movements and debts of one permission: in valid form, and the same with every call. */
export function describeInvestments(calls: PromiseCalls): void {
  describe('investments and liabilities', () => {
    let access: ProviderAccess;
    let accountIds: readonly string[];
    beforeAll(async () => {
      const { access: linked } = await calls.link();
      const { accounts } = await calls.target().provider.fetchAccounts(linked);
      accountIds = accounts.map((account) => account.providerAccountId);
      access = {
        ...linked,
        knownAccounts: accountIds,
        accountFacts: storedFacts(accounts),
      };
    });

    it('returns holdings of listed accounts with valid securities and currencies, the same every time', async () => {
      const { provider } = calls.target();
      if (provider.fetchHoldings === undefined || !calls.offers('investments'))
        return doesNotApply();
      const { accounts, holdings } = await provider.fetchHoldings(access);
      const holders = accounts.map((account) => account.providerAccountId);
      expect(new Set(holders).size).toBe(holders.length);
      expect(accountIds).toEqual(expect.arrayContaining(holders));
      for (const { providerAccountId, quantity, price, currency, security } of holdings) {
        expect(holders).toContain(providerAccountId);
        expect(quantity.isFinite() && price?.isNegative() !== true).toBe(true);
        expect(currency).toMatch(/^[A-Z]{3}$/);
        expect([null, ...SECURITY_TYPES]).toContain(security.type);
      }
      expect(await provider.fetchHoldings(access)).toEqual({ accounts, holdings });
    });

    it('returns movements of listed accounts inside the window, each once, the same every time', async () => {
      const { provider } = calls.target();
      if (provider.fetchInvestmentTransactions === undefined || !calls.offers('investments'))
        return doesNotApply();
      const window = lastDays(provider.facts.historyDays);
      const trades = await provider.fetchInvestmentTransactions(access, window);
      const ids = trades.transactions.map((row) => row.providerTransactionId);
      expect(new Set(ids).size).toBe(ids.length);
      for (const row of trades.transactions) {
        expect(accountIds).toContain(row.providerAccountId);
        expect(row.date >= window.from && row.date <= window.to).toBe(true);
        expect(INVESTMENT_TRANSACTION_TYPES).toContain(row.type);
        for (const size of [row.gross, row.fees, row.taxes])
          expect(size?.isNegative() ?? false).toBe(false);
      }
      expect(await provider.fetchInvestmentTransactions(access, window)).toEqual(trades);
    });

    it('returns debts of listed accounts, each once, with rates in percent and real days', async () => {
      const { provider } = calls.target();
      if (provider.fetchLiabilities === undefined || !calls.offers('liabilities'))
        return doesNotApply();
      const debts = await provider.fetchLiabilities(access);
      const owed = debts.map((debt) => debt.providerAccountId);
      expect(new Set(owed).size).toBe(owed.length);
      expect(accountIds).toEqual(expect.arrayContaining(owed));
      for (const { kind, rates, interestRate, nextPayment } of debts) {
        expect(LIABILITY_KINDS).toContain(kind);
        for (const { percentage } of [...rates, ...(interestRate === null ? [] : [interestRate])])
          expect(percentage.gte(0) && percentage.lte(100)).toBe(true);
        if (nextPayment !== null && nextPayment.dueOn !== null)
          expect(nextPayment.dueOn).toMatch(DAY);
      }
      expect(await provider.fetchLiabilities(access)).toEqual(debts);
    });
  });
}
