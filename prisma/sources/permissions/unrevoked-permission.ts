import type { Context } from '../../base/context.js';
import type { Database } from '../../base/database/database.js';
import type { Tx } from '../../base/database/tx.js';
import type { UnrevokedPermission } from '../../generated/client.js';

/**
 * The reason that a permission was erased without ending at the bank. `unreadable`: its sealed
 * credential could not be opened; `time_over`: the bank did not end it in time; `not_offered`: the
 * bank does not support it; `world_deleted`: its Sandbox world was deleted, in which case no source
 * is called.
 */
export type NotRevokedReason = 'unreadable' | 'time_over' | 'not_offered' | 'world_deleted';

export interface UnrevokedFacts {
  linkPk: bigint;
  provider: string;
  /** The provider's own id of the permission; null when it could not be opened either. */
  reference: string | null;
  reason: NotRevokedReason;
}

/**
 * Deletion always succeeds, so a permission that cannot be ended at the bank is recorded here.
 * Source: link-lifecycle 9.
 */
export async function recordUnrevoked(ctx: Context, tx: Tx, facts: UnrevokedFacts): Promise<void> {
  const { linkPk, provider, reference, reason } = facts;
  await tx.$executeRaw`
    INSERT INTO unrevoked_permissions (link_id, app_id, environment, institution_id, provider, adapter, reference, reason, created_at)
    SELECT link_id, app_id, environment, institution_id, ${provider}::text,
           coalesce((SELECT adapter FROM provider_configurations WHERE name = ${provider}), ${provider}),
           ${reference}::text, ${reason}::text, ${ctx.clock()}::timestamptz
      FROM links WHERE pk = ${linkPk}`;
}

/**
 * Permissions that users or an operator must end at their sources, newest first. Their links may no
 * longer exist. For operators: not scoped by a tenant.
 */
export function listUnrevoked({ prisma }: Database, limit: number): Promise<UnrevokedPermission[]> {
  return prisma.unrevokedPermission.findMany({ orderBy: { pk: 'desc' }, take: limit });
}

/** One permission in the form the worker logs. */
export interface UnrevokedReport {
  link_id: string;
  institution: string;
  provider: string;
  reason: string;
}

const KEPT_MS = 90 * 24 * 3_600_000;
const AT_ONCE = 200;

/**
 * For the sweeper: reports each record once and removes those older than 90 days. @returns the
 * number reported
 */
export async function reportUnrevoked(
  { database }: Pick<Context, 'database'>,
  now: Date,
  report: (permission: UnrevokedReport) => void,
): Promise<number> {
  const { rows } = await database.pool.query<UnrevokedReport>(
    `UPDATE unrevoked_permissions SET reported_at = $1::timestamptz
      WHERE pk IN (SELECT pk FROM unrevoked_permissions WHERE reported_at IS NULL ORDER BY pk LIMIT $2::int FOR UPDATE SKIP LOCKED)
  RETURNING link_id, institution_id AS institution, provider, reason`,
    [now, AT_ONCE],
  );
  for (const row of rows) report(row);
  await database.pool.query(
    'DELETE FROM unrevoked_permissions WHERE created_at <= $1::timestamptz AND reported_at IS NOT NULL',
    [new Date(now.getTime() - KEPT_MS)],
  );
  return rows.length;
}
