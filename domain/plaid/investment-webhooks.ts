import type { InvestmentChanges } from '../investments/investment-changes.js';
import type { ItemWebhook } from './webhooks.js';

/**
 * The webhooks about a completed fetch of investments: the first one stores the whole history.
 * Source: plaid-compat 8.1, HOLDINGS and INVESTMENTS_TRANSACTIONS.
 */
export function investmentWebhooks({
  isFirst,
  holdings: { added, updated },
  transactions: { written, removed },
}: InvestmentChanges & { isFirst: boolean }): ItemWebhook[] {
  const webhooks: ItemWebhook[] = [];
  if (added + updated > 0)
    webhooks.push({
      webhook_type: 'HOLDINGS',
      webhook_code: 'DEFAULT_UPDATE',
      new_holdings: added,
      updated_holdings: updated,
      error: null,
    });
  if (isFirst || written + removed > 0)
    webhooks.push({
      webhook_type: 'INVESTMENTS_TRANSACTIONS',
      webhook_code: isFirst ? 'HISTORICAL_UPDATE' : 'DEFAULT_UPDATE',
      new_investments_transactions: written,
      cancelled_investments_transactions: removed,
      error: null,
    });
  return webhooks;
}
