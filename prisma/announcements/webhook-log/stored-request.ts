import type { Environment, Tenant } from '../../../domain/api/environment.js';
import type { WebhookFormat } from '../../../domain/webhooks/webhook-format.js';
import type { Database } from '../../base/database/database.js';

/** An event as its next attempt would send it, without its tokens. */
export interface StoredRequest {
  eventId: string;
  appId: string;
  environment: Environment;
  format: WebhookFormat;
  idempotencyKey: string;
  /** With tokens as null, if it has any. */
  body: string;
  /** Of the bytes that are sent, as hexadecimal digits. */
  bodySha256: string;
  deliveryId: string;
  /** Its number, from 1. */
  attempt: number;
  /** Null = it has no address. */
  url: string | null;
}

/** Null = the app has no such event. */
export async function readRequest(
  { prisma }: Pick<Database, 'prisma'>,
  { appId, environment }: Tenant,
  eventId: string,
): Promise<StoredRequest | null> {
  const event = await prisma.webhookEvent.findUnique({
    where: { eventId, appId, environment },
    omit: { sealedBody: true },
    include: { deliveries: { where: { newest: true }, omit: { history: true } } },
  });
  const newest = event?.deliveries[0];
  if (event === null || newest === undefined) return null;
  const { format, idempotencyKey, body, bodySha256 } = event;
  return {
    eventId,
    appId,
    environment,
    format: format as WebhookFormat,
    idempotencyKey,
    body,
    bodySha256,
    deliveryId: newest.deliveryId,
    attempt: newest.attempts + 1,
    url: newest.url,
  };
}
