import type { Environment } from '../../domain/api/environment.js';
import { searchTextOf } from '../../domain/institutions/search-text.js';
import type { InstitutionFacts } from '../../domain/institutions/present-institution.js';
import type { Product } from '../../domain/link/products.js';
import type { Context } from '../context.js';
import { Prisma } from '../generated/client.js';
import { loadSql } from '../database/load-sql.js';
import { whereAvailable } from './institution-availability.js';
import {
  searchInstitutions,
  type InstitutionFilter,
  type InstitutionQuery,
} from './search-institutions.js';

export interface CatalogueEntry {
  institutionId: string;
  remoteId: string;
  name: string;
  country: string;
  domain: string | null;
  color: string | null;
  colorDark: string | null;
  isFeatured: boolean;
  environment: Environment;
  login: 'credentials' | 'oauth' | 'none';
  products: readonly Product[];
  aliases: readonly string[];
  /** Further names that people search for. */
  otherNames?: readonly string[];
}

export interface InstitutionRecord extends InstitutionFacts {
  logoUrl: string | null;
  login: 'credentials' | 'oauth' | 'none';
  knownSince: Date;
  /** Routes to it, best first. */
  routes: {
    provider: string;
    remoteId: string;
    products: Product[];
    health: 'operational' | 'degraded' | 'down';
  }[];
}

const WITH_ROUTES = {
  aliases: true,
  routes: { orderBy: [{ priority: 'desc' }, { provider: 'asc' }] },
} satisfies Prisma.InstitutionInclude;
type FoundInstitution = Prisma.InstitutionGetPayload<{ include: typeof WITH_ROUTES }>;

/** The banks a user can choose from, and how each is reached. */
export class InstitutionRepository {
  constructor(private readonly ctx: Context) {}

  /** Brings the stored catalogue of one provider to what the provider offers now. Idempotent. */
  async syncCatalogue(provider: string, entries: readonly CatalogueEntry[]): Promise<void> {
    await this.ctx.database.transaction(async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('institution-catalogue'))`;
      for (const { institutionId, remoteId, products, aliases, otherNames, ...facts } of entries) {
        const searchText = searchTextOf({ ...facts, otherNames });
        await tx.institution.upsert({
          where: { institutionId },
          create: { institutionId, searchText, ...facts },
          update: { searchText, ...facts },
        });
        const route = { remoteId, products: [...products] };
        await tx.institutionRoute.upsert({
          where: { institutionId_provider: { institutionId, provider } },
          create: { institutionId, provider, ...route },
          update: route,
        });
        await tx.institutionAlias.deleteMany({
          where: { institutionId, alias: { notIn: [...aliases] } },
        });
        await tx.institutionAlias.createMany({
          data: aliases.map((alias) => ({ alias, institutionId })),
          skipDuplicates: true,
        });
      }
      await tx.institutionRoute.deleteMany({
        where: { provider, institutionId: { notIn: entries.map((entry) => entry.institutionId) } },
      });
    });
  }

  /** One page of what a session may choose from; see `searchInstitutions`. */
  async search(
    filter: InstitutionFilter,
    query: InstitutionQuery,
  ): Promise<{ institutions: InstitutionRecord[]; next: string | null }> {
    const { institutionIds, next } = await searchInstitutions(this.ctx.database, filter, query);
    const rows = await this.ctx.database.prisma.institution.findMany({
      where: { institutionId: { in: institutionIds } },
      include: WITH_ROUTES,
    });
    const byId = new Map(rows.map((row) => [row.institutionId, toRecord(row)]));
    return { institutions: institutionIds.flatMap((id) => byId.get(id) ?? []), next };
  }

  /** One page of all there are, in the order of their ids. `name`: the whole name or its beginning. Source: native-api 3.7. */
  async list(
    environments: readonly Environment[],
    {
      name,
      featured,
      after,
      limit,
    }: { name: string; featured: boolean; after: string; limit: number },
  ): Promise<{ institutions: InstitutionRecord[]; hasMore: boolean }> {
    const { rows: found } = await this.ctx.database.pool.query<{ institution_id: string }>({
      name: 'institution-list',
      text: loadSql('institution-list'),
      values: [environments, after, name, featured, limit + 1],
    });
    const ids = found.slice(0, limit).map((row) => row.institution_id);
    const rows = await this.ctx.database.prisma.institution.findMany({
      where: { institutionId: { in: ids } },
      include: WITH_ROUTES,
    });
    const byId = new Map(rows.map((row) => [row.institutionId, toRecord(row)]));
    return { institutions: ids.flatMap((id) => byId.get(id) ?? []), hasMore: found.length > limit };
  }

  /** Part of those that fit, in the order of their ids, and how many fit. `oauth` null = either. */
  async browse(
    {
      environments,
      countries,
      products,
      oauth,
    }: {
      environments: readonly Environment[];
      countries: readonly string[];
      products: readonly Product[];
      oauth: boolean | null;
    },
    { offset, limit }: { offset: number; limit: number },
  ): Promise<{ institutions: InstitutionRecord[]; total: number }> {
    const where: Prisma.InstitutionWhereInput = {
      environment: { in: [...environments] },
      country: { in: [...countries] },
      ...(oauth === null ? {} : { login: oauth ? 'oauth' : { not: 'oauth' } }),
      routes: { some: { products: { hasEvery: [...products] } } },
    };
    const { prisma } = this.ctx.database;
    const [total, rows] = await Promise.all([
      prisma.institution.count({ where }),
      prisma.institution.findMany({
        where,
        include: WITH_ROUTES,
        orderBy: { institutionId: 'asc' },
        skip: offset,
        take: limit,
      }),
    ]);
    return { institutions: rows.map(toRecord), total };
  }

  /** By id or alias, whether or not a session could use it. */
  async find(environments: readonly Environment[], id: string): Promise<InstitutionRecord | null> {
    const row = await this.ctx.database.prisma.institution.findFirst({
      where: {
        environment: { in: [...environments] },
        OR: [{ institutionId: id }, { aliases: { some: { alias: id } } }],
      },
      include: WITH_ROUTES,
    });
    return row === null ? null : toRecord(row);
  }

  /** By a provider and the provider's own name for it. */
  async findByRoute(
    environments: readonly Environment[],
    provider: string,
    remoteId: string,
  ): Promise<InstitutionRecord | null> {
    const row = await this.ctx.database.prisma.institution.findFirst({
      where: { environment: { in: [...environments] }, routes: { some: { provider, remoteId } } },
      include: WITH_ROUTES,
      orderBy: { institutionId: 'asc' },
    });
    return row === null ? null : toRecord(row);
  }

  /** For the public monogram: any environment, id only. */
  async findAny(id: string): Promise<InstitutionRecord | null> {
    return this.find(['sandbox', 'live'], id);
  }

  /** The institution when a session with this filter may use it, else null. */
  async findAvailable(filter: InstitutionFilter, id: string): Promise<InstitutionRecord | null> {
    const row = await this.ctx.database.prisma.institution.findFirst({
      where: {
        AND: [
          whereAvailable(filter),
          { OR: [{ institutionId: id }, { aliases: { some: { alias: id } } }] },
        ],
      },
      include: WITH_ROUTES,
    });
    return row === null ? null : toRecord(row);
  }

  /** Through which providers an institution is reached, best first. */
  async routesOf(institutionId: string): Promise<{ provider: string; remoteId: string }[]> {
    return this.ctx.database.prisma.institutionRoute.findMany({
      where: { institutionId },
      orderBy: [{ priority: 'desc' }, { provider: 'asc' }],
      select: { provider: true, remoteId: true },
    });
  }

  /** Names of all providers that reach any institution. */
  async providerNames(): Promise<string[]> {
    const rows = await this.ctx.database.prisma.institutionRoute.findMany({
      distinct: ['provider'],
      select: { provider: true },
    });
    return rows.map((row) => row.provider);
  }
}

function toRecord(row: FoundInstitution): InstitutionRecord {
  return {
    institutionId: row.institutionId,
    aliases: row.aliases.map(({ alias }) => alias).sort(),
    name: row.name,
    country: row.country,
    domain: row.domain,
    color: row.color,
    colorDark: row.colorDark,
    logoUrl: row.logoUrl,
    isFeatured: row.isFeatured,
    login: row.login as InstitutionRecord['login'],
    knownSince: row.createdAt,
    routes: row.routes.map(({ provider, remoteId, products, health }) => ({
      provider,
      remoteId,
      products: products as Product[],
      health: health as InstitutionRecord['routes'][number]['health'],
    })),
  };
}
