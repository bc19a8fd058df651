import type { Context } from '../context.js';
import { notify } from '../database/notifications.js';
import type { Tx } from '../database/tx.js';
import { removeWebhooks } from '../provider-webhooks/remove-webhooks.js';
import { configurationKey } from './configuration-secrets.js';

export type Removal =
  | { kind: 'removed' }
  | { kind: 'unknown' }
  /** What still needs the keys: links with a permission, logins in progress, open revocations. */
  | { kind: 'in_use'; links: number; logins: number; revocations: number };

/**
 * Removes a configuration, its keys and what was learnt through it. A link that only names it, such
 * as an imported one or one whose login failed, does not hold it: apps must not be able to. The limits of apps stay: an app
 * that may use nothing else must not be allowed everything instead.
 */
export async function removeConfiguration(ctx: Context, tx: Tx, name: string): Promise<Removal> {
  const [row] = await tx.$queryRaw<{ name: string }[]>`
    SELECT name FROM provider_configurations WHERE name = ${name} FOR UPDATE`;
  if (row === undefined) return { kind: 'unknown' };
  const links = await tx.providerCredential.count({ where: { provider: name } });
  const logins = await tx.linkSession.count({ where: { provider: name, state: { not: 'ended' } } });
  const revocations = await tx.permissionRevocation.count({ where: { provider: name } });
  if (links + logins + revocations > 0) return { kind: 'in_use', links, logins, revocations };
  const where = { provider: name };
  await tx.institutionAlias.deleteMany({ where });
  await tx.institutionRoute.deleteMany({ where });
  await tx.catalogueEntry.deleteMany({ where });
  await tx.routeHealth.deleteMany({ where });
  await tx.quotaWindow.deleteMany({ where });
  await removeWebhooks(tx, name);
  await tx.providerConfiguration.delete({ where: { name } });
  await ctx.sealer.eraseKey(tx, configurationKey(name));
  notify(tx, 'provider_configuration', name);
  return { kind: 'removed' };
}
