import type { Environment } from '../api/environment.js';
import { PLAID_ENVIRONMENTS } from './item-token-format.js';
import { errorFields, type PlaidErrorFields } from './error-fields.js';
import type { PlaidErrorCode } from './errors.js';
import type { OAuthReason } from './item-faults.js';

/** plaid-compat 4: `status` only in webhooks, `request_id` in none. */
export type WebhookError = PlaidErrorFields & { status: 400 };

/** The changed part of the numbers of an account. */
export type AuthUpdate = 'ACCOUNT_NUMBER' | 'ROUTING_NUMBER';
export type IdentityUpdate = 'ADDRESSES' | 'EMAILS' | 'NAMES' | 'PHONES';

/** The content of a webhook, without its envelope: the rows of plaid-compat 8.1. Dates are text, because it is stored as JSON. */
export type ItemWebhook =
  | {
      webhook_type: 'TRANSACTIONS';
      webhook_code: 'INITIAL_UPDATE' | 'HISTORICAL_UPDATE' | 'DEFAULT_UPDATE';
      new_transactions: number;
      error: null;
    }
  | {
      webhook_type: 'TRANSACTIONS';
      webhook_code: 'SYNC_UPDATES_AVAILABLE';
      initial_update_complete: boolean;
      historical_update_complete: boolean;
    }
  | {
      webhook_type: 'TRANSACTIONS';
      webhook_code: 'TRANSACTIONS_REMOVED';
      removed_transactions: readonly string[];
      error: null;
    }
  | {
      webhook_type: 'TRANSACTIONS';
      webhook_code: 'RECURRING_TRANSACTIONS_UPDATE';
      account_ids: readonly string[];
    }
  | { webhook_type: 'ITEM'; webhook_code: 'ERROR' | 'USER_PERMISSION_REVOKED'; error: WebhookError }
  | { webhook_type: 'ITEM'; webhook_code: 'LOGIN_REPAIRED' }
  | {
      webhook_type: 'ITEM';
      webhook_code: 'PENDING_DISCONNECT';
      reason: 'INSTITUTION_MIGRATION' | 'INSTITUTION_TOKEN_EXPIRATION';
      disconnect_time: string;
    }
  | { webhook_type: 'ITEM'; webhook_code: 'PENDING_EXPIRATION'; consent_expiration_time: string }
  | { webhook_type: 'ITEM'; webhook_code: 'USER_ACCOUNT_REVOKED'; account_id: string }
  | { webhook_type: 'ITEM'; webhook_code: 'NEW_ACCOUNTS_AVAILABLE'; error: null }
  | {
      webhook_type: 'ITEM';
      webhook_code: 'WEBHOOK_UPDATE_ACKNOWLEDGED';
      new_webhook_url: string;
      error: null;
    }
  | {
      webhook_type: 'AUTH';
      webhook_code: 'DEFAULT_UPDATE';
      account_ids_with_new_auth: readonly string[];
      account_ids_with_updated_auth: Readonly<Record<string, readonly AuthUpdate[]>>;
      error: null;
    }
  | {
      webhook_type: 'IDENTITY';
      webhook_code: 'DEFAULT_UPDATE';
      account_ids_with_updated_identity: Readonly<Record<string, readonly IdentityUpdate[]>>;
      error: null;
    }
  | {
      webhook_type: 'HOLDINGS';
      webhook_code: 'DEFAULT_UPDATE';
      new_holdings: number;
      updated_holdings: number;
      error: null;
    }
  | {
      webhook_type: 'INVESTMENTS_TRANSACTIONS';
      webhook_code: 'DEFAULT_UPDATE' | 'HISTORICAL_UPDATE';
      new_investments_transactions: number;
      cancelled_investments_transactions: number;
      error: null;
    }
  | {
      webhook_type: 'LIABILITIES';
      webhook_code: 'DEFAULT_UPDATE';
      account_ids_with_new_liabilities: readonly string[];
      /** The names of the changed fields of `/liabilities/get`. */
      account_ids_with_updated_liabilities: Readonly<Record<string, readonly string[]>>;
      error: null;
    };

export type SessionWebhook = {
  webhook_type: 'LINK';
  webhook_code: 'SESSION_FINISHED';
  status: 'SUCCESS' | 'EXITED';
  link_session_id: string;
  /** Null in the log, which has no tokens. */
  link_token: string | null;
  public_tokens: readonly string[] | null;
};

type NameOf<Webhook> = Webhook extends {
  webhook_type: infer Type extends string;
  webhook_code: infer Code extends string;
}
  ? `${Type}.${Code}`
  : never;
/** The name in the event log. */
export type PlaidWebhookName = NameOf<ItemWebhook | SessionWebhook>;

export function plaidWebhookName({
  webhook_type: type,
  webhook_code: code,
}: ItemWebhook | SessionWebhook): PlaidWebhookName {
  // The compiler does not track which code belongs to which type.
  return `${type}.${code}` as PlaidWebhookName;
}

export const PLAID_WEBHOOK_NAMES = [
  'TRANSACTIONS.INITIAL_UPDATE',
  'TRANSACTIONS.HISTORICAL_UPDATE',
  'TRANSACTIONS.SYNC_UPDATES_AVAILABLE',
  'TRANSACTIONS.DEFAULT_UPDATE',
  'TRANSACTIONS.TRANSACTIONS_REMOVED',
  'TRANSACTIONS.RECURRING_TRANSACTIONS_UPDATE',
  'ITEM.ERROR',
  'ITEM.LOGIN_REPAIRED',
  'ITEM.PENDING_DISCONNECT',
  'ITEM.PENDING_EXPIRATION',
  'ITEM.USER_PERMISSION_REVOKED',
  'ITEM.USER_ACCOUNT_REVOKED',
  'ITEM.NEW_ACCOUNTS_AVAILABLE',
  'ITEM.WEBHOOK_UPDATE_ACKNOWLEDGED',
  'AUTH.DEFAULT_UPDATE',
  'IDENTITY.DEFAULT_UPDATE',
  'HOLDINGS.DEFAULT_UPDATE',
  'INVESTMENTS_TRANSACTIONS.DEFAULT_UPDATE',
  'INVESTMENTS_TRANSACTIONS.HISTORICAL_UPDATE',
  'LIABILITIES.DEFAULT_UPDATE',
  'LINK.SESSION_FINISHED',
] as const satisfies readonly PlaidWebhookName[];

export function webhookError(code: PlaidErrorCode, reason?: OAuthReason | null): WebhookError {
  return { ...errorFields(code, { reason }), status: 400 };
}

/** The frozen bytes of the body. plaid-compat 8.2: indented by two spaces, because some receivers serialize it that way before they hash it. */
export function renderItemWebhook(
  content: ItemWebhook,
  { itemId, environment }: { itemId: string; environment: Environment },
): string {
  const { webhook_type, webhook_code, ...fields } = content;
  return JSON.stringify(
    {
      webhook_type,
      webhook_code,
      item_id: itemId,
      ...fields,
      environment: PLAID_ENVIRONMENTS[environment],
    },
    null,
    2,
  );
}

export function renderSessionWebhook(content: SessionWebhook, environment: Environment): string {
  return JSON.stringify({ ...content, environment: PLAID_ENVIRONMENTS[environment] }, null, 2);
}
