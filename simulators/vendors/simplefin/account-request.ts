import { Refusal } from '../../http/reply.js';
import type { SimulatorRequest } from '../../http/request.js';

const DAY_SECONDS = 86_400;
const MAX_WINDOW_SECONDS = 90 * DAY_SECONDS;

/** The request of `GET /accounts`. */
export interface AccountRequest {
  version: 1 | 2;
  /** Epoch seconds, included. */
  start: number;
  /** Epoch seconds, excluded. */
  end: number;
  /** The window was over 90 days and its beginning was cut off. */
  isCapped: boolean;
  pending: boolean;
  balancesOnly: boolean;
  /** Empty = all. */
  accounts: string[];
}

/** @throws Refusal 400 for a date that is not an epoch timestamp */
export function readAccountRequest({ query }: SimulatorRequest, now: Date): AccountRequest {
  const start = readEpoch(query, 'start-date');
  const end = readEpoch(query, 'end-date') ?? Math.floor(now.getTime() / 1_000) + DAY_SECONDS;
  const earliest = end - MAX_WINDOW_SECONDS;
  return {
    version: query.get('version') === '2' ? 2 : 1,
    start: Math.max(start ?? earliest, earliest),
    end,
    isCapped: start !== null && start < earliest,
    pending: query.get('pending') === '1',
    balancesOnly: query.get('balances-only') === '1',
    accounts: query.getAll('account'),
  };
}

function readEpoch(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null) return null;
  if (!/^\d{1,12}$/.test(text)) {
    throw new Refusal({ status: 400, text: `${name} must be a Unix epoch timestamp.` });
  }
  return Number(text);
}
