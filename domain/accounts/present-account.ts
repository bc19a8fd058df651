import type { Decimal } from 'decimal.js';
import { jsonNumberOrNull } from '../api/money.js';
import { apiTimestampOrNull } from '../api/timestamps.js';

/** The facts of an account for its wire form. Amounts are exact decimals or decimal text. */
export interface AccountRecord {
  accountId: string;
  accountType: string;
  name: string;
  nickname: string | null;
  mask: string | null;
  closed: boolean;
  /** The time since which complete lists of the institution omit it; null = it is listed. */
  missingSince: Date | null;
  originalId: string | null;
  currency: string;
  available: Decimal | string | null;
  current: Decimal | string | null;
  limit: Decimal | string | null;
  balanceDate: Date | null;
}

/**
 * The public JSON of an Account, as text, because a JavaScript number cannot hold every decimal.
 * `extra` are further members already rendered as JSON, for example `"owners":[]`. Source:
 * native-api 4.3.
 */
export function renderAccount(account: AccountRecord, extra: readonly string[] = []): string {
  const members = [
    `"account_id":${JSON.stringify(account.accountId)}`,
    `"account_type":${JSON.stringify(account.accountType)}`,
    `"name":${JSON.stringify(account.name)}`,
    `"nickname":${JSON.stringify(account.nickname)}`,
    `"account_mask":${JSON.stringify(account.mask)}`,
    `"closed":${account.closed}`,
    `"missing_since":${JSON.stringify(apiTimestampOrNull(account.missingSince))}`,
    `"original_id":${JSON.stringify(account.originalId)}`,
    `"balances":${renderBalances(account)}`,
    ...extra,
  ];
  return `{${members.join(',')}}`;
}

/** The balances of an account on a day on which they changed. Amounts are decimal text. */
export interface DayBalances extends Pick<
  AccountRecord,
  'currency' | 'available' | 'current' | 'limit' | 'balanceDate'
> {
  /** `YYYY-MM-DD`, by the clock of the link's world. */
  day: string;
}

/** The public JSON of a day of a balance history, as text. Source: native-api 4.3. */
export function renderDayBalances({ day, ...balances }: DayBalances): string {
  return `{"date":"${day}",${renderBalances(balances).slice(1)}`;
}

function renderBalances({
  currency,
  available,
  current,
  limit,
  balanceDate,
}: Omit<DayBalances, 'day'>): string {
  return (
    `{"currency":${JSON.stringify(currency)},"available":${jsonNumberOrNull(available)},"current":${jsonNumberOrNull(current)},` +
    `"limit":${jsonNumberOrNull(limit)},"balance_date":${JSON.stringify(apiTimestampOrNull(balanceDate))}}`
  );
}
