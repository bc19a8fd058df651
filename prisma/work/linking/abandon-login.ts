import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import type { LinkSession } from '../../generated/client.js';
import { lockLink, transitionLink } from '../../links/link/link-transition.js';

/** Applies given_up_after if the bank had accepted the login, otherwise given_up_before. Source: link-lifecycle 6.2. */
export async function abandonLogin(ctx: Context, tx: Tx, session: LinkSession): Promise<void> {
  if (session.linkPk === null) return;
  const link = await lockLink(tx, session.linkPk);
  if (link.state !== 'connecting') return;
  await transitionLink(
    ctx,
    tx,
    link.pk,
    { type: session.bankAccepted ? 'given_up_after' : 'given_up_before' },
    session.bankAccepted
      ? {
          errorMessage: 'The user left after signing in at the bank.',
          errorCause: 'given_up_after',
        }
      : {
          errorMessage: 'The user left before signing in at the bank.',
          errorCause: 'given_up_before',
        },
  );
}
