import type { RenderingFacts } from '../../../domain/announcements/api-format.js';
import type { Happening, HappeningKind } from '../../../domain/announcements/happening.js';
import type { WebhookFormat } from '../../../domain/webhooks/webhook-format.js';
import type { Context } from '../../base/context.js';
import { sha256 } from '../../base/database/bytes.js';
import { asJson } from '../../base/database/json-column.js';
import type { Tx } from '../../base/database/tx.js';
import { formatOf } from './formats.js';
import { recordContent, type LinkRow } from './record-webhook-event.js';

type Render = (happening: Happening, facts: RenderingFacts) => readonly object[];

/**
 * Records a happening of a link, in the transaction of the change: the format of the link renders
 * the webhooks. A change of state is announced immediately. Everything else waits until the client
 * knows of the link, that is, for the exchange; for a link that will never be exchanged it is
 * dropped. Sources: webhooks 8.4, link-lifecycle 5.
 */
export async function announce(
  ctx: Context,
  tx: Tx,
  link: LinkRow,
  happening: Happening,
): Promise<void> {
  const { renderers, readsInstitution } = formatOf(link);
  // The key and the happening have the same kind, which the compiler does not track.
  const render = renderers[happening.kind] as Render | undefined;
  if (render === undefined) return;
  const institution = readsInstitution.includes(happening.kind)
    ? await readInstitution(tx, link)
    : null;
  for (const content of render(happening, { institution, sha256 })) {
    if (happening.kind === 'state_changed') await record(ctx, tx, link, content);
    else await recordOrHold(ctx, tx, link, content);
  }
}

/** Whether any webhook announces such a happening; if not, its details need not be read. */
export function isAnnounced(link: LinkRow, kind: HappeningKind): boolean {
  return formatOf(link).renderers[kind] !== undefined;
}

/** Records the webhooks that waited for the exchange, in order. */
export async function releaseHeldEvents(ctx: Context, tx: Tx, link: LinkRow): Promise<void> {
  const held = await tx.heldEvent.findMany({ where: { linkPk: link.pk }, orderBy: { pk: 'asc' } });
  // Only recordOrHold writes this column.
  for (const { content } of held) await record(ctx, tx, link, content as object);
  await tx.heldEvent.deleteMany({ where: { linkPk: link.pk } });
}

async function recordOrHold(ctx: Context, tx: Tx, link: LinkRow, content: object): Promise<void> {
  if (link.connectedAt !== null) {
    await record(ctx, tx, link, content);
  } else if (link.state === 'connecting' || link.state === 'awaiting_token_exchange') {
    await tx.heldEvent.create({
      data: { linkPk: link.pk, content: asJson(content), createdAt: ctx.clock() },
    });
  }
}

async function record(ctx: Context, tx: Tx, link: LinkRow, content: object): Promise<void> {
  await recordContent(ctx, tx, link, link.webhookFormat as WebhookFormat, content);
}

async function readInstitution(
  tx: Tx,
  { institutionId }: LinkRow,
): Promise<RenderingFacts['institution']> {
  const institution = await tx.institution.findUnique({
    where: { institutionId },
    select: { login: true, country: true },
  });
  return institution === null
    ? null
    : { isOAuth: institution.login === 'oauth', country: institution.country };
}
