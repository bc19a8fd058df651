import type { Context } from '../../base/context.js';
import { bytesColumn, sha256 } from '../../base/database/bytes.js';
import type { Tx } from '../../base/database/tx.js';

/** The data key of an event whose body holds tokens. */
const keyOf = (eventId: string) => `webhook-event/${eventId}`;
const placeOf = (eventId: string) => ({
  table: 'webhook_events',
  column: 'sealed_body',
  row: eventId,
});

export async function sealEventBody(
  ctx: Context,
  tx: Tx,
  eventId: string,
  body: string,
): Promise<{ sealed: Uint8Array<ArrayBuffer>; sha256: Buffer }> {
  return {
    sealed: bytesColumn(
      await ctx.sealer.sealUnder(tx, keyOf(eventId), placeOf(eventId), Buffer.from(body, 'utf8')),
    ),
    sha256: sha256(body),
  };
}

/** Null when its tokens were erased. */
export async function openEventBody(
  ctx: Context,
  eventId: string,
  sealed: Uint8Array,
): Promise<string | null> {
  const [body] = await ctx.sealer.openAllUnder(ctx.database.prisma, keyOf(eventId), [
    { at: placeOf(eventId), value: sealed },
  ]);
  return body?.toString('utf8') ?? null;
}

const BATCH_SIZE = 100;

/**
 * Erases the tokens of events that were last attempted before then and have no pending delivery.
 * Returns the number of events that lost theirs. Source: plaid-compat 8.1.
 */
export async function eraseEventTokens(ctx: Context, before: Date): Promise<number> {
  return ctx.database.transaction(async (tx) => {
    const rows = await tx.$queryRaw<{ pk: bigint; event_id: string }[]>`
      SELECT e.pk, e.event_id FROM webhook_events e
       WHERE e.sealed_body IS NOT NULL
         AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.event_pk = e.pk AND d.reason <> 'listener' AND (d.status = 'pending' OR coalesce(d.last_attempt_at, d.created_at) > ${before}))
       ORDER BY e.pk LIMIT ${BATCH_SIZE} FOR NO KEY UPDATE OF e SKIP LOCKED`;
    for (const { event_id: eventId } of rows) await ctx.sealer.eraseKey(tx, keyOf(eventId));
    await tx.webhookEvent.updateMany({
      where: { pk: { in: rows.map(({ pk }) => pk) } },
      data: { sealedBody: null },
    });
    return rows.length;
  });
}
