import type { LiabilityChange } from '../liabilities/liability-change.js';
import { plaidDebt } from './liabilities.js';
import type { ItemWebhook } from './webhooks.js';

/**
 * LIABILITIES of plaid-compat 8.1: the fields of `/liabilities/get` that changed, by account. A debt
 * that ended changed in all of them. Null when no change is visible to the client.
 */
export function liabilitiesWebhook(changes: readonly LiabilityChange[]): ItemWebhook | null {
  const fresh: string[] = [];
  const updated: Record<string, string[]> = {};
  for (const { accountId, before, after } of changes) {
    const [shown, now] = [before, after].map((debt) => (debt === null ? null : plaidDebt(debt)));
    if (shown && !now) updated[accountId] = namesOf(shown);
    else if (!shown && now) fresh.push(accountId);
    else if (shown && now) {
      const names = [...new Set([...namesOf(shown), ...namesOf(now)])].filter(
        (name) => JSON.stringify(shown[name]) !== JSON.stringify(now[name]),
      );
      if (names.length > 0) updated[accountId] = names;
    }
  }
  if (fresh.length === 0 && Object.keys(updated).length === 0) return null;
  return {
    webhook_type: 'LIABILITIES',
    webhook_code: 'DEFAULT_UPDATE',
    account_ids_with_new_liabilities: fresh,
    account_ids_with_updated_liabilities: updated,
    error: null,
  };
}

const namesOf = (debt: object) => Object.keys(debt).filter((name) => name !== 'account_id');
