import type { Database } from '../../base/database/database.js';
import { Values, type Statement } from '../../base/database/statement.js';
import type { QuotaUsage } from '../../sources/quotas/quota.repository.js';

/** Counted quota windows of each provider. */
export const MAX_WINDOWS = 2_000;
/** The count of links of each provider ends here. */
export const MAX_LINKS = 1_000;

export interface ProviderStanding {
  provider: string;
  /** Links with a permission through it; one more than `MAX_LINKS` stands for more. */
  links: number;
  pausedUntil: Date | null;
}

/** Ranges of indexes that end early, for each provider. */
export function providerStandingStatement(providers: readonly string[]): Statement {
  const values = new Values();
  return values.statement(`
    SELECT each.name AS provider,
           (SELECT paused_until FROM refresh_controls WHERE scope = 'provider' AND name = each.name) AS "pausedUntil",
           (SELECT count(*)::int FROM (
              SELECT 1 FROM provider_credentials held WHERE held.provider = each.name
               ORDER BY held.provider, held.reference LIMIT ${MAX_LINKS + 1}) AS found) AS links
      FROM unnest(${values.add(providers)}::text[]) AS each(name)`);
}

export async function readProviders(
  { pool }: Pick<Database, 'pool'>,
  providers: readonly string[],
): Promise<ProviderStanding[]> {
  const { rows } = await pool.query<ProviderStanding>(providerStandingStatement(providers));
  return rows;
}

/** The use of the quotas of a provider, of its first counted windows. */
export interface QuotaStanding extends QuotaUsage {
  /** It has more windows than were read. */
  isCut: boolean;
}

export function quotaStandingStatement(providers: readonly string[], now: Date): Statement {
  const values = new Values();
  const at = values.add(now);
  return values.statement(`
    SELECT of.provider, of.quota, max(of."limit") AS "limit", count(*)::int AS subjects,
           (count(*) FILTER (WHERE of.used >= of."limit"))::int AS "usedUp",
           greatest(0, min(of."limit" - of.used))::int AS "leastLeft", min(of.frees_at) AS "freesAt", bool_or(of.is_cut) AS "isCut"
      FROM unnest(${values.add(providers)}::text[]) AS each(name)
     CROSS JOIN LATERAL (
       SELECT read.provider, read.quota, sum(read.used)::int AS used, max(read."limit") AS "limit", min(read.ends_at) AS frees_at,
              max(read.read) > ${MAX_WINDOWS} AS is_cut
         FROM (SELECT w.*, count(*) OVER () AS read FROM (
                 SELECT * FROM quota_windows q WHERE q.provider = each.name
                  ORDER BY q.provider, q.quota, q.subject, q.window_start LIMIT ${MAX_WINDOWS + 1}) AS w) AS read
        WHERE read.ends_at > ${at}::timestamptz
        GROUP BY read.provider, read.quota, read.subject) AS of
     GROUP BY of.provider, of.quota
     ORDER BY of.provider, of.quota`);
}

export async function readQuotas(
  { pool }: Pick<Database, 'pool'>,
  providers: readonly string[],
  now: Date,
): Promise<QuotaStanding[]> {
  const { rows } = await pool.query<QuotaStanding>(quotaStandingStatement(providers, now));
  return rows;
}
