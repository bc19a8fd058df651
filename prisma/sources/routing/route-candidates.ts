import type { Environment } from '../../../domain/api/environment.js';
import type { RouteCandidate } from '../../../domain/institutions/route-choice.js';
import { routeHealth, type RouteCounts } from '../../../domain/institutions/route-health.js';
import type { RouteLogin } from '../../../domain/institutions/route-login.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';

interface CandidateRow {
  provider: string;
  login: string;
  products: string[];
  reported_health: string;
  preferred: boolean;
  price_class: number;
  priority: number;
  environment: string | null;
  enabled: boolean;
  broken: boolean;
  unpinned: boolean;
  unreachable: boolean;
  most_links: number | null;
  links: number;
  health: { successes: number; failures: number; changedAt: string }[];
}

/** The routes to an institution with all facts that the choice depends on. */
export async function routeCandidates(
  ctx: Context,
  tx: Tx | Context['database']['prisma'],
  institutionId: string,
): Promise<RouteCandidate[]> {
  // The sandbox has no configuration row. Links are counted only for limited configurations.
  const rows = await tx.$queryRaw<CandidateRow[]>`
    SELECT route.provider, route.login, route.products, route.health AS reported_health,
           route.preferred, route.price_class, route.priority,
           configuration.environment,
           coalesce(configuration.enabled, true) AS enabled,
           coalesce(configuration.broken, false) AS broken,
           coalesce(route.remote_id = ANY (configuration.unpinned), false) AS unpinned,
           coalesce(configuration.unreachable && ARRAY[route.remote_id, '*'], false) AS unreachable,
           configuration.most_links,
           CASE WHEN configuration.most_links IS NULL THEN 0 ELSE
             (SELECT count(*)::int FROM provider_credentials held WHERE held.provider = route.provider)
           END AS links,
           coalesce((SELECT jsonb_agg(jsonb_build_object('successes', seen.successes, 'failures', seen.failures, 'changedAt', seen.changed_at))
              FROM route_health seen
             WHERE seen.institution_id = route.institution_id AND seen.provider = route.provider), '[]') AS health
      FROM institution_routes route
      LEFT JOIN provider_configurations configuration ON configuration.name = route.provider
     WHERE route.institution_id = ${institutionId}`;
  return rows.map((row) => ({
    provider: row.provider,
    login: row.login as RouteLogin,
    products: row.products,
    environment: row.environment as Environment | null,
    enabled: row.enabled,
    broken: row.broken,
    unpinned: row.unpinned,
    health:
      row.unreachable || row.reported_health === 'down'
        ? 'down'
        : routeHealth(row.health.map(toCounts), ctx.clock()),
    links: row.links,
    maxLinks: row.most_links,
    preferred: row.preferred,
    priceClass: row.price_class,
    priority: row.priority,
  }));
}

function toCounts({ successes, failures, changedAt }: CandidateRow['health'][number]): RouteCounts {
  return { successes, failures, changedAt: new Date(changedAt) };
}
