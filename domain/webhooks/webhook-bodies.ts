import type { LinkError, LinkState } from '../link/link-state.js';
import type { Product } from '../link/products.js';
import { webhookTimestamp } from '../api/timestamps.js';

/** The members of each event after the envelope. Times are ISO text, so that they can be stored as JSON. Source: webhooks 2.2–2.5, 2.7. */
interface EventMembers {
  'link.state_changed': { state: LinkState; error: LinkError | null; error_message: string | null };
  'link.product_refresh': {
    product: Product;
    state: 'completed' | 'failed';
    /** The time at which the product finished. */
    state_changed_at: string;
    error_message: string | null;
  };
  'transactions.updates_available': { has_history: boolean };
  'investments.updates_available': { holdings_changed: boolean; transactions_changed: boolean };
  'link.permission_expiring': { permission_ends_at: string };
}
type EventName = keyof EventMembers;

/** The content of an event, without the envelope. */
export type WebhookContent<E extends EventName = EventName> = {
  [Name in E]: { webhook_event: Name } & EventMembers[Name];
}[E];

/** A link as test events describe it. */
export interface TestedLink {
  state: LinkState;
  error: LinkError | null;
  errorMessage: string | null;
  now: Date;
  hasHistory: boolean;
  permissionEndsAt: Date;
}

interface EventKind<Members> {
  /** How each member is written, in the order of webhooks 2: the database does not keep the order of stored content. */
  members: { [Name in keyof Members]: (stored: Members[Name]) => Members[Name] };
  /** Of an event that announces no change. Source: webhooks 10. */
  test: (link: TestedLink) => Members;
}

const asStored = <T>(stored: T): T => stored;
const asTime = (stored: string): string => webhookTimestamp(new Date(stored));

const EVENTS: { [Name in EventName]: EventKind<EventMembers[Name]> } = {
  'link.state_changed': {
    members: { state: asStored, error: asStored, error_message: asStored },
    test: ({ state, error, errorMessage }) => ({ state, error, error_message: errorMessage }),
  },
  'link.product_refresh': {
    members: {
      product: asStored,
      state: asStored,
      state_changed_at: asTime,
      error_message: asStored,
    },
    test: ({ now }) => ({
      product: 'accounts',
      state: 'completed',
      state_changed_at: now.toISOString(),
      error_message: null,
    }),
  },
  'transactions.updates_available': {
    members: { has_history: asStored },
    test: ({ hasHistory }) => ({ has_history: hasHistory }),
  },
  'investments.updates_available': {
    members: { holdings_changed: asStored, transactions_changed: asStored },
    test: () => ({ holdings_changed: true, transactions_changed: true }),
  },
  'link.permission_expiring': {
    members: { permission_ends_at: asTime },
    test: ({ permissionEndsAt }) => ({ permission_ends_at: permissionEndsAt.toISOString() }),
  },
};
export const EVENT_NAMES = Object.keys(EVENTS) as EventName[];

export interface WebhookEnvelope {
  idempotencyKey: string;
  timestamp: Date;
  /** Null = a session without a link. */
  linkId: string | null;
  linkTags: readonly string[];
}

/** Source: webhooks 2.1. */
export function commonFields(name: string, envelope: WebhookEnvelope) {
  return {
    webhook_event: name,
    webhook_major_version: 1,
    webhook_minor_version: 0,
    webhook_idempotency_key: envelope.idempotencyKey,
    webhook_timestamp: webhookTimestamp(envelope.timestamp),
    link_id: envelope.linkId,
    link_tags: envelope.linkTags,
  };
}

/** The body of a webhook: these bytes are frozen and signed. */
export function renderWebhookBody(content: WebhookContent, envelope: WebhookEnvelope): string {
  const { webhook_event: name, ...stored }: { webhook_event: EventName } & Record<string, unknown> =
    content;
  const members = Object.entries<(member: never) => unknown>(EVENTS[name].members).map(
    ([member, write]) => [member, write(stored[member] as never)],
  );
  return JSON.stringify({ ...commonFields(name, envelope), ...Object.fromEntries(members) });
}

export const testContent = (name: EventName, link: TestedLink): WebhookContent =>
  ({ webhook_event: name, ...EVENTS[name].test(link) }) as WebhookContent;
