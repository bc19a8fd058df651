import { z } from 'zod';
import { SESSION_FINISHED } from '../../../../../domain/webhooks/session-finished.js';
import type { WebhookContent } from '../../../../../domain/webhooks/webhook-bodies.js';
import { announcedOutcome } from './link-session.model.js';
import { linkError, linkState, product } from './link.model.js';
import { linkId, sessionId, webhookTimestamp } from './values.model.js';

const envelope = <E extends string>(event: E) =>
  z.object({
    webhook_event: z.literal(event).describe('The name of the event.'),
    webhook_major_version: z.literal(1).describe('Grows with changes that break receivers.'),
    // A client that knew only this one would refuse an event with an addition.
    webhook_minor_version: z.literal(0).meta({
      openapi: { type: 'integer', format: 'int32' },
      description: 'Grows with additions.',
    }),
    webhook_idempotency_key: z
      .string()
      .describe('The same in each delivery of the event: handle it once.'),
    webhook_timestamp: webhookTimestamp.describe('The time of the event.'),
    link_id: linkId.describe('The link that it is about.'),
    link_tags: z.array(z.string()).describe('The tags of that link.'),
  });

export interface DocumentedWebhook<Body = unknown> {
  /** One line, without a period at its end. */
  summary: string;
  description: string;
  body: z.ZodType<Body>;
}

/** Source: webhooks 2. */
export const WEBHOOKS = {
  'link.state_changed': {
    summary: 'The state of a link changed',
    description:
      'Sent at every change of the state of a link, and when its error changes. `error` is set if and only if the state is `error`; with `auth_expired`, open a link session with `existing_link_id` so that the account owner signs in again.',
    body: envelope('link.state_changed')
      .extend({
        state: linkState.describe('The state of the link now.'),
        error: linkError.nullable().describe('Its error; null unless the state is `error`.'),
        error_message: z.string().nullable().describe('The error in words, for developers.'),
      })
      .meta({ id: 'LinkStateChanged', description: 'The body of `link.state_changed`.' }),
  },
  'link.product_refresh': {
    summary: 'The refresh of a product completed or failed',
    description:
      'Sent after a product was prefetched, after a refresh that you requested, and after each scheduled one. Read the data with the calls of the product.',
    body: envelope('link.product_refresh')
      .extend({
        product: product.describe('The product that was refreshed.'),
        state: z
          .enum(['completed', 'failed'])
          .meta({ id: 'ProductRefreshState', description: 'How a refresh ended.' })
          .describe('Whether new data is stored.'),
        state_changed_at: webhookTimestamp.describe('The end of the refresh.'),
        error_message: z.string().nullable().describe('Why it failed, for developers.'),
      })
      .meta({ id: 'LinkProductRefresh', description: 'The body of `link.product_refresh`.' }),
  },
  'transactions.updates_available': {
    summary: 'Transactions were fetched: new data is available',
    description:
      'Read the changes with `GET /links/{id}/transactions/sync` from your last cursor. It is sent after `link.product_refresh` of the same refresh.',
    body: envelope('transactions.updates_available')
      .extend({
        has_history: z.boolean().describe('Whether the delivery includes the full history.'),
      })
      .meta({
        id: 'TransactionsUpdatesAvailable',
        description: 'The body of `transactions.updates_available`.',
      }),
  },
  'investments.updates_available': {
    summary: 'Investments were fetched: new data is available',
    description:
      'Read the holdings with `GET /links/{id}/holdings`, and the changes of transactions with `GET /links/{id}/investment-transactions/sync` from your last cursor. It is sent after `link.product_refresh` of the same refresh.',
    body: envelope('investments.updates_available')
      .extend({
        holdings_changed: z.boolean().describe('Holdings were added, changed or ended.'),
        transactions_changed: z
          .boolean()
          .describe('Investment transactions were added, changed or removed.'),
      })
      .meta({
        id: 'InvestmentsUpdatesAvailable',
        description: 'The body of `investments.updates_available`.',
      }),
  },
  'link.permission_expiring': {
    summary: 'The institution will soon end the permission of a link',
    description:
      'Sent some days before the end and shortly before it. A relink by the account owner renews the permission.',
    body: envelope('link.permission_expiring')
      .extend({
        permission_ends_at: webhookTimestamp.describe('A relink before this time renews it.'),
      })
      .meta({
        id: 'LinkPermissionExpiring',
        description: 'The body of `link.permission_expiring`.',
      }),
  },
  [SESSION_FINISHED]: {
    summary: 'The user of a hosted session finished it, left it, or let it expire',
    description:
      'Sent for hosted sessions only: in an SDK, callbacks report the end. It holds no token: read that of a new link with `GET /link-sessions/{id}` and exchange it.',
    body: envelope(SESSION_FINISHED)
      .extend({
        link_id: linkId
          .nullable()
          .describe('The link that the session created, repaired or was to repair.'),
        session_id: sessionId.describe('The session that is over, or that its user left.'),
        outcome: announcedOutcome.describe('After `exited`, another may follow.'),
      })
      .meta({ id: 'LinkSessionFinished', description: 'The body of `link_session.finished`.' }),
  },
} as const satisfies {
  [Name in WebhookContent['webhook_event']]: DocumentedWebhook<WebhookContent<Name>>;
} & {
  [SESSION_FINISHED]: DocumentedWebhook;
};
