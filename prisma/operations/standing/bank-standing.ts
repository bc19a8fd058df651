import type { Environment } from '../../../domain/api/environment.js';
import type { Database } from '../../base/database/database.js';
import { Values, type Statement } from '../../base/database/statement.js';
import type { StoredHealth } from '../../sources/institutions/list-banks.js';

/** An institution with its routes and pauses, as they are stored. */
export interface BankStanding {
  institutionId: string;
  name: string;
  country: string;
  environment: Environment;
  hidden: boolean;
  /** The end of its pause, which may be over. */
  pausedUntil: Date | null;
  /** The best first. */
  routes: {
    provider: string;
    reported: 'operational' | 'degraded' | 'down';
    isUnreachable: boolean;
    /** The end of the pause of all institutions of the provider. */
    pausedUntil: Date | null;
    health: StoredHealth[];
  }[];
}

interface BankRow extends Omit<BankStanding, 'routes'> {
  routes: (Omit<BankStanding['routes'][number], 'pausedUntil' | 'health'> & {
    pausedUntil: string | null;
    health: (Omit<StoredHealth, 'lastOkAt' | 'changedAt'> & {
      lastOkAt: string | null;
      changedAt: string;
    })[];
  })[];
}

/** Look-ups by key for each institution and each of its routes. */
export function bankStandingStatement(institutionIds: readonly string[]): Statement {
  const values = new Values();
  return values.statement(`
    SELECT bank.institution_id AS "institutionId", bank.name, bank.country, bank.environment, bank.hidden,
           (SELECT paused_until FROM refresh_controls WHERE scope = 'institution' AND name = asked.id) AS "pausedUntil",
           coalesce(served.routes, '[]') AS routes
      FROM unnest(${values.add(institutionIds)}::text[]) WITH ORDINALITY AS asked(id, place)
      JOIN institutions bank ON bank.institution_id = asked.id
     CROSS JOIN LATERAL (
       SELECT jsonb_agg(jsonb_build_object(
                'provider', route.provider, 'reported', route.health,
                'isUnreachable', coalesce((SELECT configuration.unreachable && ARRAY[route.remote_id, '*'] FROM provider_configurations configuration
                                            WHERE configuration.name = route.provider), false),
                'pausedUntil', (SELECT paused_until FROM refresh_controls WHERE scope = 'provider' AND name = route.provider),
                'health', coalesce((SELECT jsonb_agg(jsonb_build_object(
                    'institutionId', seen.institution_id, 'provider', seen.provider, 'operation', seen.operation, 'successes', seen.successes,
                    'failures', seen.failures, 'lastCause', seen.last_cause, 'lastOkAt', seen.last_ok_at, 'changedAt', seen.changed_at))
                  FROM route_health seen WHERE seen.institution_id = route.institution_id AND seen.provider = route.provider), '[]'))
              ORDER BY route.priority DESC, route.provider) AS routes
         FROM institution_routes route WHERE route.institution_id = asked.id) AS served
     ORDER BY asked.place`);
}

/** Institutions in the order of the ids; unknown ones are missing. */
export async function readBanks(
  { pool }: Pick<Database, 'pool'>,
  institutionIds: readonly string[],
): Promise<BankStanding[]> {
  if (institutionIds.length === 0) return [];
  const { rows } = await pool.query<BankRow>(bankStandingStatement(institutionIds));
  return rows.map((row) => ({
    ...row,
    routes: row.routes.map(({ pausedUntil, health, ...route }) => ({
      ...route,
      pausedUntil: dateOf(pausedUntil),
      health: health.map(({ lastOkAt, changedAt, ...seen }) => ({
        ...seen,
        lastOkAt: dateOf(lastOkAt),
        changedAt: new Date(changedAt),
      })),
    })),
  }));
}

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));
