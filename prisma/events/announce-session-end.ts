import type { Environment } from '../../domain/api/environment.js';
import type { Context } from '../context.js';
import type { Tx } from '../database/tx.js';
import type { LinkSession } from '../generated/client.js';
import { isHosted } from '../../domain/session/session-options.js';
import type { WebhookFormat } from '../../domain/webhooks/webhook-format.js';
import { openSessionToken } from '../sealing/session-tokens.js';
import { sealEventBody } from './event-body.js';
import { FORMATS, formatOf } from './formats.js';
import { insertEvent } from './insert-event.js';

/** The session expired before its user finished or left it. */
export async function announceLapsedSession(
  ctx: Context,
  tx: Tx,
  session: LinkSession,
): Promise<void> {
  const names = Object.values(FORMATS).flatMap(({ sessionEnd }) => sessionEnd?.name ?? []);
  const announced = await tx.webhookEvent.count({
    where: { linkId: session.sessionId, webhookEvent: { in: names } },
  });
  if (announced === 0) await announceSessionEnd(ctx, tx, session, null);
}

/**
 * Announces the end of a hosted session: with a public token, or left by its user. The body holds
 * tokens, so it is stored sealed; the log shows it without them.
 */
export async function announceSessionEnd(
  ctx: Context,
  tx: Tx,
  session: LinkSession,
  publicToken: string | null,
): Promise<void> {
  const { sessionEnd } = formatOf(session);
  if (sessionEnd === null || !isHosted(session) || session.sealedLinkToken === null) return;
  const { sessionId, appId, linkPk } = session;
  const link = linkPk === null ? null : await tx.link.findUniqueOrThrow({ where: { pk: linkPk } });
  const environment = session.environment as Environment;
  const linkToken = await openSessionToken(
    ctx,
    sessionId,
    'sealed_link_token',
    session.sealedLinkToken,
    tx,
  );
  const { shown, sent } = sessionEnd.render({ sessionId, environment, linkToken, publicToken });
  const isRelink = session.existingLinkId !== null;
  // A relink uses the address of the link, unless the link is announced in another format.
  const linkAddress =
    link !== null && link.webhookFormat === session.webhookFormat ? link.webhook : null;
  const linkId = link !== null && (isRelink || publicToken !== null) ? link.linkId : sessionId;
  await insertEvent(
    ctx,
    tx,
    {
      appId,
      environment,
      linkId,
      webhook: isRelink ? linkAddress : session.webhook,
      webhookDisabledAt: null,
    },
    {
      name: sessionEnd.name,
      idempotencyKey: ctx.uuid(),
      format: session.webhookFormat as WebhookFormat,
      origin: 'change',
      body: shown,
      seal: (eventId) => sealEventBody(ctx, tx, eventId, sent),
    },
  );
}
