import type { Environment } from '../../../domain/api/environment.js';
import { isHosted } from '../../../domain/session/session-options.js';
import type { AnnouncedOutcome } from '../../../domain/session/session-outcome.js';
import type { WebhookFormat } from '../../../domain/webhooks/webhook-format.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import type { LinkSession } from '../../generated/client.js';
import { openSessionToken } from '../../base/sealing/session-tokens.js';
import { sealEventBody } from './event-body.js';
import { formatOf } from './formats.js';
import { insertEvent } from './insert-event.js';

interface SessionResult {
  outcome: AnnouncedOutcome;
  /** The token that the client may exchange, if there is one. */
  publicToken?: string | null;
}

/**
 * Announces the end of a hosted session. A body that holds tokens is stored sealed; the log shows
 * it without them. Sources: webhooks 2.6, plaid-compat 8.1.
 */
export async function announceSessionEnd(
  ctx: Context,
  tx: Tx,
  session: LinkSession,
  { outcome, publicToken = null }: SessionResult,
): Promise<void> {
  if (!isHosted(session)) return;
  const { sessionEnd } = formatOf(session);
  const { sessionId, appId, linkPk } = session;
  const isRelink = session.existingLinkId !== null;
  const hasLink = isRelink || outcome === 'linked';
  const link =
    linkPk === null || !hasLink ? null : await tx.link.findUniqueOrThrow({ where: { pk: linkPk } });
  const environment = session.environment as Environment;
  const idempotencyKey = ctx.uuid();
  const rendered = sessionEnd.render({
    sessionId,
    environment,
    outcome,
    wasOpened: session.openedAt !== null,
    linkId: link?.linkId ?? null,
    linkTags: link?.tags ?? session.tags,
    linkToken: await linkTokenOf(ctx, tx, session),
    publicToken,
    idempotencyKey,
    timestamp: ctx.clock(),
  });
  if (rendered === null) return;
  const { shown, sent } = rendered;
  // A relink uses the address of the link, unless the link is announced in another format.
  const linkAddress = link?.webhookFormat === session.webhookFormat ? link.webhook : null;
  await insertEvent(
    ctx,
    tx,
    {
      appId,
      environment,
      linkId: link?.linkId ?? sessionId,
      webhook: isRelink ? linkAddress : session.webhook,
      webhookDisabledAt: link?.webhookDisabledAt ?? null,
    },
    {
      name: sessionEnd.name,
      idempotencyKey,
      format: session.webhookFormat as WebhookFormat,
      origin: 'change',
      body: shown,
      ...(sent === null ? {} : { seal: (eventId) => sealEventBody(ctx, tx, eventId, sent) }),
    },
  );
}

async function linkTokenOf(
  ctx: Context,
  tx: Tx,
  { sessionId, sealedLinkToken }: LinkSession,
): Promise<string | null> {
  return sealedLinkToken === null
    ? null
    : openSessionToken(ctx, sessionId, 'sealed_link_token', sealedLinkToken, tx);
}
