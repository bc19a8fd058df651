import { daysWithin } from './epoch-days.js';

/** The request of `GET /simplefin/accounts`. */
export interface AccountRequest {
  version: 1 | 2;
  /** Days, both included; null = the default. */
  first: string | null;
  last: string | null;
  pending: boolean;
  balancesOnly: boolean;
  /** Account ids; empty = all. */
  accounts: ReadonlySet<string>;
}

/** Year 2100. */
const MAX_EPOCH_SECONDS = 4_102_444_800;

/** @returns the name of a parameter that is not an epoch timestamp */
export function readAccountRequest(query: URLSearchParams): AccountRequest | string {
  const [start, end] = [epochOf(query.get('start-date')), epochOf(query.get('end-date'))];
  if (start === undefined) return 'start-date';
  if (end === undefined) return 'end-date';
  return {
    version: /^2(\.|$)/.test(query.get('version') ?? '') ? 2 : 1,
    ...daysWithin({ start, end }),
    pending: query.get('pending') === '1',
    balancesOnly: query.get('balances-only') === '1',
    accounts: new Set(query.getAll('account').filter((id) => id !== '')),
  };
}

/** Clients that divide milliseconds send a fraction. Undefined = not a timestamp. */
function epochOf(text: string | null): number | null | undefined {
  if (text === null || text === '') return null;
  const seconds = /^-?\d{1,12}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), MAX_EPOCH_SECONDS);
}
