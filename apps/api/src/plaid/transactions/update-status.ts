import type { Item } from '../access/item-access.js';

export type UpdateStatus =
  | 'NOT_READY'
  | 'INITIAL_UPDATE_COMPLETE'
  | 'HISTORICAL_UPDATE_COMPLETE'
  | 'TRANSACTIONS_UPDATE_STATUS_UNKNOWN';

/** The stored part of the requested history: more than 90 days are fetched in a second pass. Source: plaid-compat 5.4. */
export function updateStatusOf({ link }: Pick<Item, 'link'>): UpdateStatus {
  const product = link.products.find((granted) => granted.product === 'transactions');
  if (product === undefined) return 'TRANSACTIONS_UPDATE_STATUS_UNKNOWN';
  if (product.refreshedAt === null) return 'NOT_READY';
  return product.settings.extend_history && !product.hasHistory
    ? 'INITIAL_UPDATE_COMPLETE'
    : 'HISTORICAL_UPDATE_COMPLETE';
}
