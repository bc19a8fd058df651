import type { ApiFormat, Renderers, SessionTokenKind } from '../announcements/api-format.js';
import { addDays } from '../api/timestamps.js';
import { servesNumbers, servesTransactions } from './account-type.js';
import { authWebhook, identityWebhook } from './changed-data.js';
import { liabilitiesWebhook } from './changed-liabilities.js';
import { comingEndWebhook, NOTICE_MS } from './coming-end.js';
import { faultOfError, oauthReasonOf } from './item-faults.js';
import { investmentWebhooks } from './investment-webhooks.js';
import { itemTokenPrefix, type ItemTokenKind } from './item-token-format.js';
import { pendingIdOf } from './pending-transaction-id.js';
import { SESSION_FINISHED, renderSessionEnd } from './session-webhook.js';
import { transactionWebhooks } from './transaction-webhooks.js';
import { plaidWebhookName, renderItemWebhook, webhookError, type ItemWebhook } from './webhooks.js';

/** plaid-compat 8.1, `new_transactions`. */
const RECENT_DAYS = 30;

/** The rows of plaid-compat 8.1. */
const RENDERERS: Renderers<ItemWebhook> = {
  state_changed: (change, { institution }) => {
    // The client does not know of an Item before the exchange.
    if (!change.isExchanged) return [];
    const { state, error, errorCause, previousError, isExpected } = change;
    if (state === 'error' && error !== null) {
      const { live: code } = faultOfError(error, errorCause);
      const isOAuth = institution?.isOAuth ?? false;
      const reason = oauthReasonOf({ isOAuth, errorCause }, code);
      return [{ webhook_type: 'ITEM', webhook_code: 'ERROR', error: webhookError(code, reason) }];
    }
    return state === 'connected' && previousError === 'auth_expired' && !isExpected
      ? [{ webhook_type: 'ITEM', webhook_code: 'LOGIN_REPAIRED' }]
      : [];
  },
  transactions_pulled: ({ rows, today, readsChanges, ...pull }, { sha256 }) =>
    transactionWebhooks({
      ...pull,
      rows: rows.filter(({ accountType }) => servesTransactions(accountType)),
      recentFrom: addDays(today, -RECENT_DAYS),
      usesSync: readsChanges,
      pendingId: (transactionId) => pendingIdOf(transactionId, sha256),
    }),
  investments_pulled: (pull) => investmentWebhooks(pull),
  numbers_changed: ({ changes }) =>
    present(authWebhook(changes.filter(({ accountType }) => servesNumbers(accountType)))),
  owners_changed: ({ changes }) => present(identityWebhook(changes)),
  liabilities_changed: ({ changes }) => present(liabilitiesWebhook(changes)),
  streams_changed: ({ accounts }) => {
    const ids = accounts
      .filter(({ accountType }) => servesTransactions(accountType))
      .map(({ accountId }) => accountId);
    return ids.length === 0
      ? []
      : [
          {
            webhook_type: 'TRANSACTIONS',
            webhook_code: 'RECURRING_TRANSACTIONS_UPDATE',
            account_ids: ids,
          },
        ];
  },
  accounts_added: () => [
    { webhook_type: 'ITEM', webhook_code: 'NEW_ACCOUNTS_AVAILABLE', error: null },
  ],
  // Only where the institution lists exactly the accounts that the owner permits there.
  account_delisted: ({ accountId }, { institution }) =>
    institution?.isOAuth === true
      ? [{ webhook_type: 'ITEM', webhook_code: 'USER_ACCOUNT_REVOKED', account_id: accountId }]
      : [],
  permission_ending: ({ endsAt }, { institution }) => [
    comingEndWebhook(institution?.country ?? '', endsAt),
  ],
  permission_withdrawn: (_, { institution }) => [
    {
      webhook_type: 'ITEM',
      webhook_code: 'USER_PERMISSION_REVOKED',
      error: webhookError(
        'USER_PERMISSION_REVOKED',
        institution?.isOAuth === true ? 'OAUTH_USER_REVOKED' : undefined,
      ),
    },
  ],
};

const TOKEN_KINDS: Readonly<Record<SessionTokenKind, ItemTokenKind>> = {
  link_session: 'link',
  exchangeable: 'public',
};

/** Links of the Plaid-compatible API. Sources: plaid-compat 2, 8. */
export const PLAID_FORMAT: ApiFormat<ItemWebhook> = {
  renderers: RENDERERS,
  readsInstitution: [
    'state_changed',
    'account_delisted',
    'permission_ending',
    'permission_withdrawn',
  ],
  nameOf: plaidWebhookName,
  bodyOf: (content, { linkId: itemId, environment }) =>
    renderItemWebhook(content, { itemId, environment }),
  permissionNoticesMs: [NOTICE_MS],
  sessionEnd: { name: SESSION_FINISHED, render: renderSessionEnd },
  sessionTokens: {
    prefix: (kind, environment) => itemTokenPrefix(TOKEN_KINDS[kind], environment),
    secret: 'uuid',
    areReadable: true,
    endRelinks: true,
    nameTheUser: false,
  },
};

function present(webhook: ItemWebhook | null): readonly ItemWebhook[] {
  return webhook === null ? [] : [webhook];
}
