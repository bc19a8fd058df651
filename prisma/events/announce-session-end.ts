import type { Environment } from '../../domain/api/environment.js';
import type { PlaidSession } from '../../domain/plaid/plaid-session.js';
import {
  plaidWebhookName,
  renderSessionWebhook,
  type SessionWebhook,
} from '../../domain/plaid/webhooks.js';
import type { Context } from '../context.js';
import type { Tx } from '../database/tx.js';
import { sealEventBody } from './event-body.js';
import { insertEvent } from './insert-event.js';
import { openPlaidToken } from '../sealing/plaid-session-tokens.js';

/** The user did not come to an end, and has not said so either. */
export async function tellSessionLapsed(ctx: Context, tx: Tx, sessionId: string): Promise<void> {
  const told = await tx.webhookEvent.count({
    where: { linkId: sessionId, webhookEvent: 'LINK.SESSION_FINISHED' },
  });
  if (told === 0) await tellSessionEnd(ctx, tx, sessionId, null);
}

/**
 * Tells the client of a hosted session how it ended: with a public token, or left by its user. What is sent holds tokens, so
 * it is sealed; the log shows it without. Source: plaid-compat 8.1, LINK.
 */
export async function tellSessionEnd(
  ctx: Context,
  tx: Tx,
  sessionId: string,
  publicToken: string | null,
): Promise<void> {
  const session = await tx.linkSession.findUniqueOrThrow({
    where: { sessionId },
    include: { link: true },
  });
  // Only LinkSessionRepository.create writes this column.
  const plaid = session.plaid as unknown as PlaidSession | null;
  if (plaid === null || plaid.hosted === null || session.sealedLinkToken === null) return;
  const { appId, link } = session;
  const environment = session.environment as Environment;
  const linkToken = await openPlaidToken(
    ctx,
    sessionId,
    'sealed_link_token',
    session.sealedLinkToken,
    tx,
  );
  const shown: SessionWebhook = {
    webhook_type: 'LINK',
    webhook_code: 'SESSION_FINISHED',
    status: publicToken === null ? 'EXITED' : 'SUCCESS',
    link_session_id: sessionId,
    link_token: null,
    public_tokens: publicToken === null ? [] : null,
  };
  const sent = {
    ...shown,
    link_token: linkToken,
    public_tokens: publicToken === null ? [] : [publicToken],
  };
  const isUpdate = session.existingLinkId !== null;
  // In update mode the address of the Item stands; one that is told in native words is told nothing here.
  const webhook = isUpdate
    ? link?.webhookFormat === 'plaid'
      ? link.webhook
      : null
    : session.webhook;
  const linkId = link !== null && (isUpdate || publicToken !== null) ? link.linkId : sessionId;
  await insertEvent(
    ctx,
    tx,
    { appId, environment, linkId, webhook, webhookDisabledAt: null },
    {
      name: plaidWebhookName(shown),
      idempotencyKey: ctx.uuid(),
      format: 'plaid',
      origin: 'change',
      body: renderSessionWebhook(shown, environment),
      seal: (eventId) => sealEventBody(ctx, tx, eventId, renderSessionWebhook(sent, environment)),
    },
  );
}
