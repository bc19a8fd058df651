import type { Decimal } from 'decimal.js';
import type { AccountFacts } from './account-facts.js';

interface Balances {
  accountType: string;
  available: Decimal | null;
  current: Decimal | null;
  limit: Decimal | null;
}

/**
 * `current`, or the value that follows from the other balances when the source shows no booked one:
 * of a deposit account what is available, of a debt what is used of its limit. Null for other types:
 * money that is available for a trade or a purchase is not what an account holds or owes. Source:
 * native-api 4.3.
 */
export function settledCurrent({
  accountType,
  available,
  current,
  limit,
}: Balances): Decimal | null {
  if (current !== null || available === null) return current;
  if (accountType.startsWith('depository.')) return available;
  if (accountType.startsWith('liability.')) return limit?.minus(available) ?? null;
  return null;
}

/**
 * Whether a response lacks the balances of an account, so that the stored ones stay:
 * store-accounts.sql. They stay together, because values of two days are no balance.
 */
export function lacksBalances(
  { available, current }: Pick<Balances, 'available' | 'current'>,
  known: Pick<AccountFacts, 'current'> | undefined,
): boolean {
  return current === null && (available === null || (known?.current ?? null) !== null);
}
