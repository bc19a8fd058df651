import type { Tenant } from '../../../domain/api/environment.js';
import type { Context } from '../../base/context.js';
import { bytesColumn, sha256 } from '../../base/database/bytes.js';
import type { Tx } from '../../base/database/tx.js';
import { releaseHeldEvents } from '../../announcements/events/announce.js';
import type { LinkRow } from '../../announcements/events/record-webhook-event.js';
import type { LinkSession } from '../../generated/client.js';
import { isPermitted } from '../../tenants/applications/permitted-rows.js';
import { lockLink, transitionLink } from '../../links/link/link-transition.js';
import { enqueueCommand } from '../../base/outbox/outbox.js';
import { forgetLogin } from '../../sources/permissions/accepted-login.js';
import { ordinarySource } from '../../../domain/refresh/source-facts.js';
import { awaitsConfirmation, keptResult } from './confirmation.js';
import { finishLinking } from './finish-linking.js';
import { endSession } from '../../links/sessions/end-session.js';
import { lockSession } from '../../links/sessions/lock-session.js';

/** A usable exchangeable token, with its session and link locked. */
export interface UsableToken {
  link: LinkRow;
  session: LinkSession;
  tokenHash: Uint8Array<ArrayBuffer>;
}

/** Null when the token is unknown, used, void, expired, of another tenant, or of a link that a restricted caller may not reach. */
export async function lockUsableToken(
  ctx: Context,
  tx: Tx,
  tenant: Tenant,
  token: string,
): Promise<UsableToken | null> {
  const tokenHash = bytesColumn(sha256(token));
  const seen = await tx.exchangeableToken.findUnique({ where: { tokenHash } });
  if (seen === null) return null;
  // The session is locked before the link, as everywhere.
  const session = await lockSession(tx, seen.sessionId);
  const link = await lockLink(tx, seen.linkPk);
  if (session === null || link.appId !== tenant.appId || link.environment !== tenant.environment)
    return null;
  if (!(await isPermitted(tx, tenant, link))) return null;
  const row = await tx.exchangeableToken.findUniqueOrThrow({ where: { tokenHash } });
  const isUsable = row.usedAt === null && row.voidedAt === null && row.expiresAt > ctx.clock();
  return isUsable ? { link, session, tokenHash } : null;
}

export async function markUsed(ctx: Context, tx: Tx, { tokenHash }: UsableToken): Promise<void> {
  await tx.exchangeableToken.update({ where: { tokenHash }, data: { usedAt: ctx.clock() } });
}

/** Exchanges the token of a new link: connects the link, releases the events that waited for it, and ends the session. */
export async function connectLink(ctx: Context, tx: Tx, token: UsableToken): Promise<void> {
  const { link, session } = token;
  await markUsed(ctx, tx, token);
  const { link: connected } = await transitionLink(ctx, tx, link.pk, { type: 'exchanged' });
  await releaseHeldEvents(ctx, tx, connected);
  await endSession(ctx, tx, session.sessionId, 'exchanged');
  await enqueueCommand(tx, {
    kind: 'signalSession',
    sessionId: session.sessionId,
    mode: 'link',
    signal: 'exchanged',
  });
}

/** Whether the token is still usable: a new link waits for it, or there is a result to confirm. */
export function isExchangeable({ link, session }: UsableToken): boolean {
  return awaitsConfirmation(session)
    ? session.state === 'succeeded' && link.state !== 'deleted'
    : link.state === 'awaiting_token_exchange';
}

/**
 * Applies the result of a session that was resumed without its token, as success would otherwise
 * have done. @throws TrialLimitReached, DuplicateInstitution
 */
export async function confirmResult(
  ctx: Context,
  tx: Tx,
  token: UsableToken,
  windows: { exchangeWindowMs: number },
): Promise<void> {
  const { link, session } = token;
  const { sessionId } = session;
  const result = await keptResult(ctx, tx, sessionId);
  const done =
    result !== null &&
    (await finishLinking(ctx, tx, { ...session, linkPk: link.pk }, result, {
      exchangeExpiresAt: new Date(ctx.clock().getTime() + windows.exchangeWindowMs),
      sources: () => ({ ...ordinarySource(link.provider), historyFirst: result.historyFirst }),
    }));
  if (!done) throw new Error(`the session ${sessionId} has nothing to confirm`);
  await forgetLogin(tx, sessionId);
  if (session.mode === 'link') return connectLink(ctx, tx, token);
  await markUsed(ctx, tx, token);
  await endSession(ctx, tx, sessionId, 'exchanged');
}
