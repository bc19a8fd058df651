import { Decimal } from 'decimal.js';
import { readEach, readPart, type Part, type ReadScope } from '../../http/read-scope.js';
import { RemoteObject } from '../../http/remote-object.js';

/**
 * Banks list one to six balances, in any order (ISO 20022 codes). The first one of these counts:
 * booked before expected, at the end of the day before in between.
 */
const CURRENT = ['CLBD', 'ITBD', 'XPCD', 'PRCD', 'OPBD'] as const;
const AVAILABLE = ['CLAV', 'ITAV', 'FWAV', 'OPAV'] as const;

const MAX_BALANCES = 100;

export interface Balances {
  current: Decimal | null;
  available: Decimal | null;
  date: Date | null;
}

/**
 * @param currency of the account; balances in other currencies are omitted; null = unknown, so that
 * the currency of the balances counts if they agree
 */
export function toBalances(
  response: unknown,
  known: string | null,
  scope?: ReadScope,
): Balances & { currency: string | null } {
  const part: Part = { account: null, note: () => undefined, ...scope, scope: 'value' };
  const listed = readPart(part, () =>
    new RemoteObject(response, 'balance').list('balances', MAX_BALANCES),
  );
  const all = readEach(listed ?? [], part, (remote) => toBalance(remote, scope));
  const currencies = new Set(all.map((balance) => balance.currency));
  const [only] = currencies;
  const currency = known ?? (currencies.size === 1 && only !== undefined ? only : null);
  const balances = all.filter((balance) => balance.currency === currency);
  const first = (types: readonly string[]) =>
    types.flatMap((type) => balances.find((balance) => balance.type === type) ?? [])[0] ?? null;
  const [current, available] = [first(CURRENT), first(AVAILABLE)];
  return {
    current: current?.amount ?? null,
    available: available?.amount ?? null,
    date: (current ?? available)?.date ?? null,
    currency,
  };
}

function toBalance(remote: unknown, scope?: ReadScope) {
  const balance = new RemoteObject(remote, 'balance', scope);
  const money = balance.object('balance_amount');
  return {
    type: balance.text('balance_type', { max: 40 }),
    amount: money.decimal('amount'),
    currency: money.currency('currency'),
    date: dateOf(balance),
  };
}

/** Times have an offset, or are plain days. */
const dateOf = (balance: RemoteObject): Date | null =>
  balance.maybe('last_change_date_time', (it) => it.time('last_change_date_time')) ??
  balance.maybe('reference_date', (it) => it.time('reference_date'));
