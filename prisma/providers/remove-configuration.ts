import type { Context } from '../context.js';
import { notify } from '../database/notifications.js';
import type { Tx } from '../database/tx.js';
import { configurationKey } from './configuration-secrets.js';

export type Removal =
  | { kind: 'removed' }
  | { kind: 'unknown' }
  /** Links that are not deleted, and permissions that are still to be revoked at the source. */
  | { kind: 'in_use'; links: number; revocations: number };

/**
 * Removes a configuration, its keys and what was learnt through it. The limits of apps stay: an app
 * that may use nothing else must not be allowed everything instead.
 */
export async function removeConfiguration(ctx: Context, tx: Tx, name: string): Promise<Removal> {
  const [row] = await tx.$queryRaw<{ name: string }[]>`
    SELECT name FROM provider_configurations WHERE name = ${name} FOR UPDATE`;
  if (row === undefined) return { kind: 'unknown' };
  const links = await tx.link.count({ where: { provider: name, deletedAt: null } });
  const revocations = await tx.permissionRevocation.count({ where: { provider: name } });
  if (links + revocations > 0) return { kind: 'in_use', links, revocations };
  const where = { provider: name };
  await tx.institutionAlias.deleteMany({ where });
  await tx.institutionRoute.deleteMany({ where });
  await tx.catalogueEntry.deleteMany({ where });
  await tx.routeHealth.deleteMany({ where });
  await tx.quotaWindow.deleteMany({ where });
  await tx.providerConfiguration.delete({ where: { name } });
  await ctx.sealer.eraseKey(tx, configurationKey(name));
  notify(tx, 'provider_configuration', name);
  return { kind: 'removed' };
}
