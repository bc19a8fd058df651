import type { Environment } from '../../../domain/api/environment.js';
import { isHosted } from '../../../domain/session/session-options.js';
import type { Context } from '../../base/context.js';
import { bytesColumn, sha256 } from '../../base/database/bytes.js';
import type { Tx } from '../../base/database/tx.js';
import { formatOf } from '../../announcements/events/formats.js';
import type { LinkRow } from '../../announcements/events/record-webhook-event.js';
import type { LinkSession } from '../../generated/client.js';
import { sealSessionToken } from '../../base/sealing/session-tokens.js';
import { makeSessionToken } from '../../links/sessions/make-session-token.js';

/** Creates the exchangeable token of a locked session, and voids every earlier one. */
export async function issueToken(
  ctx: Context,
  tx: Tx,
  session: LinkSession,
  link: LinkRow,
  expiresAt: Date,
): Promise<string> {
  const { sessionId, webhookFormat } = session;
  const now = ctx.clock();
  const token = makeSessionToken(ctx, 'exchangeable', {
    webhookFormat,
    environment: session.environment as Environment,
  });
  await tx.exchangeableToken.updateMany({
    where: { sessionId, usedAt: null, voidedAt: null },
    data: { voidedAt: now },
  });
  await tx.exchangeableToken.create({
    data: {
      tokenHash: bytesColumn(sha256(token)),
      sessionId,
      linkPk: link.pk,
      expiresAt,
      createdAt: now,
    },
  });
  if (link.state === 'awaiting_token_exchange')
    await tx.link.update({ where: { pk: link.pk }, data: { exchangeExpiresAt: expiresAt } });
  if (formatOf(session).sessionTokens.areReadable || isHosted(session))
    await tx.linkSession.update({
      where: { sessionId },
      data: {
        sealedPublicToken: await sealSessionToken(ctx, tx, sessionId, 'sealed_public_token', token),
      },
    });
  return token;
}
