import type { InstitutionFacts } from '../../../domain/institutions/present-institution.js';
import type { InstitutionLogin, RouteLogin } from '../../../domain/institutions/route-login.js';
import type { Product } from '../../../domain/link/products.js';
import type { Prisma } from '../../generated/client.js';

export interface InstitutionRecord extends InstitutionFacts {
  /** The name of the service's copy of its logo. */
  logoDigest: string | null;
  /** The login of its best listed entry. The routes determine what a session can use. */
  login: InstitutionLogin;
  knownSince: Date;
  /** Its routes, best first. */
  routes: {
    provider: string;
    remoteId: string;
    login: RouteLogin;
    products: Product[];
    health: 'operational' | 'degraded' | 'down';
  }[];
}

export const WITH_ROUTES = {
  aliases: true,
  routes: { orderBy: [{ priority: 'desc' }, { provider: 'asc' }] },
} satisfies Prisma.InstitutionInclude;
type FoundInstitution = Prisma.InstitutionGetPayload<{ include: typeof WITH_ROUTES }>;

export function toRecord(row: FoundInstitution): InstitutionRecord {
  return {
    institutionId: row.institutionId,
    aliases: row.aliases.map(({ alias }) => alias).sort(),
    name: row.name,
    country: row.country,
    domain: row.domain,
    color: row.color,
    colorDark: row.colorDark,
    logoDigest: row.logoDigest,
    isFeatured: row.isFeatured,
    login: row.login as InstitutionRecord['login'],
    knownSince: row.createdAt,
    routes: row.routes.map(({ provider, remoteId, login, products, health }) => ({
      provider,
      remoteId,
      login: login as RouteLogin,
      products: products as Product[],
      health: health as InstitutionRecord['routes'][number]['health'],
    })),
  };
}
