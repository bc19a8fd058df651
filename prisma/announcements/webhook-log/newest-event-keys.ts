import type pg from 'pg';
import type { Tenant } from '../../../domain/api/environment.js';

/** The newest visible event of each tenant by its key, or null; in the order of the tenants. */
export async function newestEventKeys(
  pool: Pick<pg.Pool, 'query'>,
  tenants: readonly Tenant[],
): Promise<(bigint | null)[]> {
  const { rows } = await pool.query<{ newest: string | null }>({
    name: 'newest-event-keys',
    text: `SELECT (SELECT max(e.pk) FROM webhook_events e
                    WHERE e.app_id = tenant.app_id AND e.environment = tenant.environment)::text AS newest
             FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS tenant(app_id, environment, place)
            ORDER BY tenant.place`,
    values: [tenants.map(({ appId }) => appId), tenants.map(({ environment }) => environment)],
  });
  return rows.map(({ newest }) => (newest === null ? null : BigInt(newest)));
}
