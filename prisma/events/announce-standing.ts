import type { LinkError } from '../../domain/link/link-state.js';
import { faultOfError, oauthReasonOf } from '../../domain/plaid/item-faults.js';
import { webhookError } from '../../domain/plaid/webhooks.js';
import type { Context } from '../context.js';
import type { Tx } from '../database/tx.js';
import { announceItem, type LinkRow } from './record-webhook-event.js';

/**
 * A change of state in the words of the compatibility layer. `inUpdateMode`: the client's own session repaired the login,
 * which it knows. Before the exchange there is no Item a client would know. Source: plaid-compat 8.1, ITEM.
 */
export async function tellStanding(
  ctx: Context,
  tx: Tx,
  before: LinkRow,
  link: LinkRow,
  { inUpdateMode }: { inUpdateMode: boolean },
): Promise<void> {
  if (link.webhookFormat !== 'plaid' || link.connectedAt === null) return;
  if (link.state === 'error' && link.errorCode !== null) {
    const { live: code } = faultOfError(link.errorCode as LinkError, link.errorCause);
    const error = webhookError(
      code,
      oauthReasonOf({ isOAuth: await isOAuth(tx, link), errorCause: link.errorCause }, code),
    );
    await announceItem(ctx, tx, link, { webhook_type: 'ITEM', webhook_code: 'ERROR', error });
  } else if (link.state === 'connected' && before.errorCode === 'auth_expired' && !inUpdateMode) {
    await announceItem(ctx, tx, link, { webhook_type: 'ITEM', webhook_code: 'LOGIN_REPAIRED' });
  }
}

/** The account owner withdrew the permission for the last product there was one for. */
export async function tellPermissionEnd(ctx: Context, tx: Tx, link: LinkRow): Promise<void> {
  if (link.webhookFormat !== 'plaid') return;
  const permitted = await tx.linkProduct.count({
    where: {
      linkPk: link.pk,
      granted: true,
      OR: [{ errorCode: null }, { errorCode: { not: 'no_permission' } }],
    },
  });
  if (permitted > 0) return;
  const reason = (await isOAuth(tx, link)) ? 'OAUTH_USER_REVOKED' : undefined;
  await announceItem(ctx, tx, link, {
    webhook_type: 'ITEM',
    webhook_code: 'USER_PERMISSION_REVOKED',
    error: webhookError('USER_PERMISSION_REVOKED', reason),
  });
}

export async function isOAuth(tx: Tx, { institutionId }: LinkRow): Promise<boolean> {
  return (
    (await tx.institution.findUnique({ where: { institutionId }, select: { login: true } }))
      ?.login === 'oauth'
  );
}
