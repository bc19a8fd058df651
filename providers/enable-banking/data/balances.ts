import { Decimal } from 'decimal.js';
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

/** @param currency of the account; balances in others are left out */
export function toBalances(response: unknown, currency: string): Balances {
  const balances = new RemoteObject(response, 'response')
    .list('balances', MAX_BALANCES)
    .map(toBalance)
    .filter((balance) => balance.currency === currency);
  const first = (types: readonly string[]) =>
    types.flatMap((type) => balances.find((balance) => balance.type === type) ?? [])[0] ?? null;
  const [current, available] = [first(CURRENT), first(AVAILABLE)];
  return {
    current: current?.amount ?? null,
    available: available?.amount ?? null,
    date: (current ?? available)?.date ?? null,
  };
}

function toBalance(remote: unknown) {
  const balance = new RemoteObject(remote, 'balance');
  const money = balance.object('balance_amount');
  return {
    type: balance.text('balance_type', { max: 40 }),
    amount: money.decimal('amount'),
    currency: money.text('currency', { max: 3 }),
    date: dateOf(balance),
  };
}

/** Times come with an offset, or without a time. Unreadable ones are left out. */
function dateOf(balance: RemoteObject): Date | null {
  const text =
    balance.optional('last_change_date_time', (it) =>
      it.text('last_change_date_time', { max: 60 }),
    ) ?? balance.optional('reference_date', (it) => it.text('reference_date', { max: 60 }));
  const date = new Date(text ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date;
}
