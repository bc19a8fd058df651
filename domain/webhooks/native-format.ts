import type { ApiFormat } from '../announcements/api-format.js';
import { tokenPrefix } from '../api/token-format.js';
import { renderSessionFinished, SESSION_FINISHED } from './session-finished.js';
import { renderWebhookBody, type WebhookContent } from './webhook-bodies.js';

/** Links of the native API. Sources: webhooks 2, link-lifecycle 3. */
export const NATIVE_FORMAT: ApiFormat<WebhookContent> = {
  renderers: {
    state_changed: ({ state, error, errorMessage }) => [
      { webhook_event: 'link.state_changed', state, error, error_message: errorMessage },
    ],
    product_settled: ({ product, state, at, errorMessage }) => [
      {
        webhook_event: 'link.product_refresh',
        product,
        state,
        state_changed_at: at.toISOString(),
        error_message: errorMessage,
      },
    ],
    transactions_updated: ({ hasHistory }) => [
      { webhook_event: 'transactions.updates_available', has_history: hasHistory },
    ],
    investments_updated: ({ holdings, transactions }) => [
      {
        webhook_event: 'investments.updates_available',
        holdings_changed: holdings,
        transactions_changed: transactions,
      },
    ],
    permission_ending: ({ endsAt }) => [
      { webhook_event: 'link.permission_expiring', permission_ends_at: endsAt.toISOString() },
    ],
  },
  readsInstitution: [],
  nameOf: ({ webhook_event: name }) => name,
  bodyOf: renderWebhookBody,
  permissionNoticesMs: 'configured',
  sessionEnd: { name: SESSION_FINISHED, render: renderSessionFinished },
  sessionTokens: {
    prefix: tokenPrefix,
    secret: 'random',
    areReadable: false,
    endRelinks: false,
    nameTheUser: true,
  },
};
