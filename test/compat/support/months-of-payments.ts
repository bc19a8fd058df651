import type { FetchedTransaction } from '../../../domain/refresh/fetched-data.js';

const DAY_MS = 86_400_000;
/** A payment every two weeks does not depend on the length of months. */
const INTERVAL_DAYS = 14;

/** Six biweekly payments, the newest of them `last` days ago. */
export function monthsOfPayments(
  name: string,
  fields: Partial<FetchedTransaction>,
  { last = 3 }: { last?: number } = {},
): (Partial<FetchedTransaction> & { providerTransactionId: string })[] {
  return Array.from({ length: 6 }, (_, at) => ({
    ...fields,
    providerTransactionId: `${name}-${at}`,
    description: name,
    date: new Date(Date.now() - (last + at * INTERVAL_DAYS) * DAY_MS).toISOString().slice(0, 10),
  }));
}
