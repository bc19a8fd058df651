import { accountsOf, type BankAccount } from '../accounts/accounts.js';
import type { Bank } from '../bank.js';
import type { Connection } from '../customers/connection-store.js';
import type { Customer } from '../customers/customer.js';
import type { BankHoldings } from '../investments/bank-holding.js';
import { holdingsOf, withInvestedBalances } from '../investments/holdings.js';
import type { BankLiability } from '../liabilities/bank-liability.js';
import { liabilitiesOf, withOwedBalances } from '../liabilities/liabilities.js';
import { scriptedLiabilities, withReadableBalance } from '../liabilities/scripted-liabilities.js';
import { dayNumberOf } from '../transactions/day-number.js';
import { withScriptedBalances } from '../transactions/scripted-transactions.js';

/** The accounts of a permission with what is in them and owed on them, which agree. */
export interface CustomerState {
  accounts: BankAccount[];
  invested: BankHoldings;
  debts: BankLiability[];
}

export async function stateOf(
  { scripts }: Pick<Bank, 'scripts'>,
  { connection, customer, now }: { connection: Connection; customer: Customer; now: Date },
): Promise<CustomerState> {
  const scripted = await scripts.read(connection.historyId);
  const accounts = accountsOf(customer, now).map((account) =>
    withScriptedBalances(account, scripted.rows),
  );
  const today = dayNumberOf(now);
  const invested = holdingsOf(customer, today, scripted.holdings);
  const own = liabilitiesOf(customer, accounts, today);
  const debts = scriptedLiabilities(own, scripted.liabilities);
  const balanced = withOwedBalances(withInvestedBalances(accounts, invested), own);
  return {
    accounts: withOwedBalances(balanced, withReadableBalance(debts)),
    invested,
    debts,
  };
}
