import type { WebhookMeaning } from '../../../domain/provider-webhooks/webhook-meaning.js';
import type { Context } from '../../base/context.js';
import { bytesColumn } from '../../base/database/bytes.js';
import type { Tx } from '../../base/database/tx.js';

/** A webhook as received. */
export interface ReceivedWebhook {
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}

type Db = Tx | Context['database']['prisma'];

/** The data key of one webhook. */
export const webhookKeyOwner = (webhookId: string) => `provider-webhook/${webhookId}`;

/** Seals a webhook as received. */
export function sealWebhook(ctx: Context, tx: Tx, webhookId: string, webhook: ReceivedWebhook) {
  const body = Buffer.from(webhook.body).toString('base64');
  return seal(ctx, tx, webhookId, { headers: webhook.headers, body });
}

/** @throws SealedValueUnreadable when the key was erased */
export async function openWebhook(
  ctx: Context,
  db: Db,
  webhookId: string,
  sealed: Uint8Array,
): Promise<ReceivedWebhook> {
  const { headers, body } = (await open(ctx, db, webhookId, sealed)) as {
    headers: Record<string, string>;
    body: string;
  };
  return { headers, body: Buffer.from(body, 'base64') };
}

/** Seals the meaning of a webhook, which replaces the received content. */
export function sealMeaning(ctx: Context, tx: Tx, webhookId: string, meaning: WebhookMeaning) {
  return seal(ctx, tx, webhookId, meaning);
}

/** @throws SealedValueUnreadable when the key was erased */
export async function openMeaning(
  ctx: Context,
  db: Db,
  webhookId: string,
  sealed: Uint8Array,
): Promise<WebhookMeaning> {
  const meaning = (await open(ctx, db, webhookId, sealed)) as WebhookMeaning;
  return {
    ...meaning,
    effects: meaning.effects.map((effect) =>
      effect.kind === 'ends' ? { ...effect, at: new Date(effect.at) } : effect,
    ),
  };
}

async function seal(ctx: Context, tx: Tx, webhookId: string, value: unknown) {
  const plain = Buffer.from(JSON.stringify(value), 'utf8');
  return bytesColumn(
    await ctx.sealer.sealUnder(tx, webhookKeyOwner(webhookId), place(webhookId), plain),
  );
}

async function open(ctx: Context, db: Db, webhookId: string, sealed: Uint8Array): Promise<unknown> {
  const owner = webhookKeyOwner(webhookId);
  const plain = await ctx.sealer.openUnder(db, owner, place(webhookId), sealed);
  return JSON.parse(plain.toString('utf8')) as unknown;
}

const place = (webhookId: string) => ({
  table: 'provider_webhooks',
  column: 'sealed',
  row: webhookId,
});
