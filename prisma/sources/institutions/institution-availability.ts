import type { Environment, Tenant } from '../../../domain/api/environment.js';
import { InstitutionUnavailable } from '../../../domain/institutions/institution-unavailable.js';
import type { Product } from '../../../domain/link/products.js';
import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';
import type { Tx } from '../../base/database/tx.js';

/** The institutions a session may use. Source: link-lifecycle 2.1, 2.3. */
export interface InstitutionFilter {
  /** The tenant of the session: apps may be limited to some configurations. */
  tenant: Tenant;
  /**
   * The environments of the institutions; SANDBOX_BANKS_IN_LIVE adds another one to that of the
   * session.
   */
  environments: readonly Environment[];
  /** Empty = any. Their order ranks the results. */
  countries: readonly string[];
  /** Empty = any. */
  providers: readonly string[];
  requiredProducts: readonly Product[];
  /** Without a redirect_uri, institutions are offered only by routes that stay in Connect. */
  oauthPossible: boolean;
  /**
   * Includes hidden institutions, because a link is repaired at its institution even if an operator
   * hides it.
   */
  hiddenToo?: boolean;
}

/** The first parameters of every statement that includes `institution-usable-route`. */
export function usableRouteParameters({
  tenant,
  environments,
  countries,
  providers,
  requiredProducts,
  oauthPossible,
}: InstitutionFilter): unknown[] {
  return [
    environments,
    countries,
    providers,
    requiredProducts,
    oauthPossible,
    tenant.appId,
    tenant.environment,
  ];
}

/** The id of the institution with this id or alias if a session may use it; otherwise null. */
export async function availableInstitution(
  db: Tx | Context['database']['prisma'],
  filter: InstitutionFilter,
  idOrAlias: string,
): Promise<string | null> {
  const [found] = await db.$queryRawUnsafe<{ institution_id: string }[]>(
    loadSql('institution-available'),
    ...usableRouteParameters(filter),
    idOrAlias,
    filter.hiddenToo ?? false,
  );
  return found?.institution_id ?? null;
}

/** @throws InstitutionUnavailable when the catalog no longer offers the institution for this filter */
export async function requireAvailable(
  tx: Tx,
  filter: InstitutionFilter,
  institutionId: string,
): Promise<void> {
  if ((await availableInstitution(tx, filter, institutionId)) === null)
    throw new InstitutionUnavailable(institutionId);
}
