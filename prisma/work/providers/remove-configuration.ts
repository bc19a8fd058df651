import type { Context } from '../../base/context.js';
import { notify } from '../../base/database/notifications.js';
import type { Tx } from '../../base/database/tx.js';
import { removeWebhooks } from '../provider-webhooks/remove-webhooks.js';
import { configurationKey } from './configuration-secrets.js';

export type Removal =
  /** `unfinished`: logins that the bank has not accepted yet, and that can no longer succeed. */
  | { kind: 'removed'; unfinished: number }
  | { kind: 'unknown' }
  /**
   * Rows that still need the keys: links that were connected, logins that the bank accepted but
   * that are not finished, open revocations.
   */
  | { kind: 'in_use'; links: number; logins: number; revocations: number };

/**
 * Removes a configuration, its keys and the data learned through it. A link that only names it,
 * such as an imported one or one whose login failed, does not block the removal: apps must not be
 * able to. Nor does a session that never received a permission, which its user may have abandoned
 * without notice. The limits of apps stay: an app that may use nothing else must not be allowed
 * everything instead.
 */
export async function removeConfiguration(ctx: Context, tx: Tx, name: string): Promise<Removal> {
  const [row] = await tx.$queryRaw<{ name: string }[]>`
    SELECT name FROM provider_configurations WHERE name = ${name} FOR UPDATE`;
  if (row === undefined) return { kind: 'unknown' };
  const held = (connectedAt: null | { not: null }) =>
    tx.providerCredential.count({ where: { provider: name, link: { connectedAt } } });
  const open = { provider: name, state: 'open' };
  const links = await held({ not: null });
  const logins =
    (await held(null)) + (await tx.linkSession.count({ where: { ...open, bankAccepted: true } }));
  const revocations = await tx.permissionRevocation.count({ where: { provider: name } });
  if (links + logins + revocations > 0) return { kind: 'in_use', links, logins, revocations };
  // Their attempts are over: a login whose keys are gone must not result in a permission.
  const { count: unfinished } = await tx.linkSession.updateMany({
    where: { ...open, attemptKey: { not: null } },
    data: { attemptKey: null },
  });
  const where = { provider: name };
  await tx.institutionAlias.deleteMany({ where });
  await tx.institutionRoute.deleteMany({ where });
  await tx.catalogEntry.deleteMany({ where });
  await tx.routeHealth.deleteMany({ where });
  await tx.quotaWindow.deleteMany({ where });
  await removeWebhooks(tx, name);
  await tx.providerConfiguration.delete({ where: { name } });
  await ctx.sealer.eraseKey(tx, configurationKey(name));
  notify(tx, 'provider_configuration', name);
  return { kind: 'removed', unfinished };
}
