import { isHosted } from '../../../domain/session/session-options.js';
import { successOf } from '../../../domain/session/session-outcome.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { announceSessionEnd } from '../../announcements/events/announce-session-end.js';
import { formatOf } from '../../announcements/events/formats.js';
import type { LinkSession } from '../../generated/client.js';
import { lockLink } from '../../links/link/link-transition.js';
import { issueToken } from './issue-token.js';

/**
 * Delivers the result of a hosted session to the back end, in the transaction of its success: the
 * event, and the token that the back end reads and exchanges. The page is not involved, so a closed
 * window loses nothing. Sources: webhooks 2.6, plaid-compat 7.
 */
export async function deliverResult(
  ctx: Context,
  tx: Tx,
  session: LinkSession & { linkPk: bigint },
  exchangeExpiresAt: Date,
): Promise<void> {
  if (!isHosted(session)) return;
  const outcome = successOf(session.mode === 'relink' ? 'relink' : 'link');
  const hasToken = outcome === 'linked' || formatOf(session).sessionTokens.endRelinks;
  const publicToken = hasToken
    ? await issueToken(ctx, tx, session, await lockLink(tx, session.linkPk), exchangeExpiresAt)
    : null;
  await announceSessionEnd(ctx, tx, session, { outcome, publicToken });
}
