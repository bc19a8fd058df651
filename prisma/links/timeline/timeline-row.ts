import type { JudgedRoute } from '../../../domain/institutions/route-choice.js';
import type { LinkError, LinkState } from '../../../domain/link/link-state.js';
import type { OutcomeFacts } from '../../../domain/session/session-outcome.js';
import type { WebhookAttemptFacts } from '../../../domain/webhooks/present-webhook-event.js';

/**
 * The sources of a timeline. At one moment, the effect is newer than its cause: the last of them is
 * shown first.
 */
export const TIMELINE_KINDS = [
  'link',
  'operator',
  'route',
  'session',
  'permission',
  'event',
] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

interface Moment {
  at: Date;
}

/** A moment of which the link itself keeps the time. */
export interface LinkMoment extends Moment {
  kind: 'link';
  moment: 'created' | 'connected' | 'imported' | 'deleted';
}

/** An operator's action on the link, its bank or its provider. */
export interface ActionMoment extends Moment {
  kind: 'operator';
  /** Its number in the record of operators. */
  number: bigint;
  actor: string;
  action: string;
  subject: string;
  outcome: 'started' | 'succeeded' | 'failed' | 'refused';
}

/** The choice of a route for a login. */
export interface RouteMoment extends Moment {
  kind: 'route';
  sessionId: string;
  why: string;
  chosen: string | null;
  routes: readonly JudgedRoute[];
  failedCause: string | null;
}

export interface SessionMoment extends Moment, OutcomeFacts {
  kind: 'session';
  sessionId: string;
  openedAt: Date | null;
  endedAt: Date | null;
  /** The bank accepted the sign-in of the last attempt. */
  bankAccepted: boolean;
  isHosted: boolean;
  /** The key pair that created it. */
  clientId: string;
  clientLabel: string | null;
}

/** A permission that was stored or renewed, or that did not end at its source. */
export interface PermissionMoment extends Moment {
  kind: 'permission';
  moment: 'stored' | 'renewed' | 'not_revoked';
  provider: string;
  /** The provider's own id of the permission; not secret. */
  reference: string | null;
  /** Of a permission that was not revoked. */
  reason: string | null;
}

export interface EventMoment extends Moment {
  kind: 'event';
  eventId: string;
  webhookEvent: string;
  /** `change` or `test`. */
  origin: string;
  /** Members of its body that a timeline shows; tokens and ids of accounts are not among them. */
  facts: EventFacts;
  /** The newest first. */
  deliveries: readonly TimelineDelivery[];
}

export interface EventFacts {
  state: string | null;
  error: string | null;
  errorMessage: string | null;
  product: string | null;
  permissionEndsAt: string | null;
  outcome: string | null;
  /** The error code of a body whose `error` is an object. */
  errorInside: string | null;
}

export interface TimelineDelivery {
  deliveryId: string;
  /** Scheme, host and port: the path may hold a token. */
  endpoint: string | null;
  reason: string;
  status: string;
  nextAttemptAt: Date | null;
  createdAt: Date;
  attemptsMade: number;
  /** The last ones, oldest first, without the text of the receiver. */
  attempts: readonly Omit<WebhookAttemptFacts, 'responseExcerpt'>[];
  /** What operators did to it, newest first. */
  actions: readonly Omit<ActionMoment, 'kind'>[];
}

export type TimelineRow =
  | LinkMoment
  | ActionMoment
  | RouteMoment
  | SessionMoment
  | PermissionMoment
  | EventMoment;

/** The link that a timeline is about, as it is now. */
export interface TimelineLink {
  pk: bigint;
  linkId: string;
  appId: string;
  environment: string;
  institutionId: string;
  institutionName: string;
  provider: string;
  state: LinkState;
  error: LinkError | null;
  errorMessage: string | null;
  errorCause: string | null;
  webhookFormat: string;
  createdAt: Date;
}
