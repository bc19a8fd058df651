import type { Environment } from '../../../domain/api/environment.js';
import type { WebhookEventName } from '../../../domain/webhooks/webhook-event-name.js';
import type { WebhookFormat } from '../../../domain/webhooks/webhook-format.js';
import { traceIdFromColumn } from '../../base/database/work-origin.js';

/** A claimed delivery: its next attempt has to be made before the lease ends. */
export interface DueDelivery {
  pk: bigint;
  /** The delivery token, `whd_…`. */
  deliveryId: string;
  url: string;
  /** Scheme, host and port. */
  endpoint: string;
  /** Number of the attempt to make, from 1. */
  attempt: number;
  firstAttemptAt: Date | null;
  shiftMs: number;
  eventId: string;
  appId: string;
  linkId: string;
  webhookEvent: WebhookEventName;
  idempotencyKey: string;
  environment: Environment;
  format: WebhookFormat;
  /** The frozen body. */
  body: string;
  /** The bytes to send instead, if not null: the same body with its tokens. */
  sealedBody: Uint8Array | null;
  /** The trace id of the request that caused it. */
  traceId: string | null;
}

/** A row of a claim; pg returns bigint columns as text. */
export type DueRow = Omit<DueDelivery, 'pk' | 'shiftMs'> & { pk: string; shiftMs: string };

export function toDueDelivery(row: DueRow): DueDelivery {
  return {
    ...row,
    pk: BigInt(row.pk),
    shiftMs: Number(row.shiftMs),
    traceId: traceIdFromColumn(row.traceId),
  };
}
