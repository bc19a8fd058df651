import { z } from 'zod';
import { ANNOUNCED_OUTCOMES } from '../../../../../domain/session/session-outcome.js';
import { linkError, linkState, product } from './link.model.js';
import { linkId, sessionId, webhookTimestamp } from './values.model.js';

const envelope = <E extends string>(event: E) =>
  z.object({
    webhook_event: z.literal(event),
    webhook_major_version: z.literal(1),
    webhook_minor_version: z.literal(0),
    webhook_idempotency_key: z.string(),
    webhook_timestamp: webhookTimestamp,
    link_id: linkId,
    link_tags: z.array(z.string()),
  });

/** Source: webhooks 2. */
export const WEBHOOKS = {
  'link.state_changed': {
    summary: 'The state of a link changed.',
    body: envelope('link.state_changed')
      .extend({
        state: linkState,
        error: linkError.nullable(),
        error_message: z.string().nullable(),
      })
      .meta({ id: 'LinkStateChanged' }),
  },
  'link.product_refresh': {
    summary: 'The refresh of a product completed or failed.',
    body: envelope('link.product_refresh')
      .extend({
        product,
        state: z.enum(['completed', 'failed']),
        state_changed_at: webhookTimestamp,
        error_message: z.string().nullable(),
      })
      .meta({ id: 'LinkProductRefresh' }),
  },
  'transactions.updates_available': {
    summary: 'Transactions were fetched: new data is available.',
    body: envelope('transactions.updates_available')
      .extend({
        has_history: z.boolean().describe('Whether the delivery includes the full history.'),
      })
      .meta({ id: 'TransactionsUpdatesAvailable' }),
  },
  'link.permission_expiring': {
    summary: 'The institution will soon end the permission of a link.',
    body: envelope('link.permission_expiring')
      .extend({
        permission_ends_at: webhookTimestamp.describe('A relink before this time renews it.'),
      })
      .meta({ id: 'LinkPermissionExpiring' }),
  },
  'link_session.finished': {
    summary: 'The user of a hosted session finished it, left it, or let it expire.',
    body: envelope('link_session.finished')
      .extend({
        link_id: linkId
          .nullable()
          .describe('The link that the session created, repaired or was to repair.'),
        session_id: sessionId,
        outcome: z.enum(ANNOUNCED_OUTCOMES).describe('After `exited`, another may follow.'),
      })
      .meta({ id: 'LinkSessionFinished' }),
  },
} as const;
