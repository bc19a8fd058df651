import type { Environment } from '../../domain/environment.js';
import type { Product } from '../../domain/products.js';
import { mistypedPrefix } from '../../domain/mistyped-prefix.js';
import type { Context } from '../context.js';
import { Prisma } from '../generated/client.js';

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
}

export interface InstitutionRecord {
  institutionId: string;
  aliases: string[];
  name: string;
  country: string;
  domain: string | null;
  color: string | null;
  colorDark: string | null;
  logoUrl: string | null;
  isFeatured: boolean;
  login: 'credentials' | 'oauth' | 'none';
  /** Routes to it, best first. */
  routes: { provider: string; remoteId: string; products: Product[]; health: 'operational' | 'degraded' | 'down' }[];
}

/** Which institutions a session may use. Source: link-lifecycle 2.1, 2.3. */
export interface InstitutionFilter {
  environments: readonly Environment[];
  /** Empty = any. Their order ranks the list. */
  countries: readonly string[];
  /** Empty = any. */
  providers: readonly string[];
  requiredProducts: readonly Product[];
  /** Without a redirect_uri, institutions that log in by OAuth are not offered. */
  oauthPossible: boolean;
}

const WITH_ROUTES = { aliases: true, routes: { orderBy: [{ priority: 'desc' }, { provider: 'asc' }] } } satisfies Prisma.InstitutionInclude;
type FoundInstitution = Prisma.InstitutionGetPayload<{ include: typeof WITH_ROUTES }>;

/** The banks a user can choose from, and how each is reached. */
export class InstitutionRepository {
  constructor(private readonly ctx: Context) {}

  /** Brings the stored catalogue of one provider to what the provider offers now. Idempotent. */
  async syncCatalogue(provider: string, entries: readonly CatalogueEntry[]): Promise<void> {
    await this.ctx.database.transaction(async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('institution-catalogue'))`;
      for (const { institutionId, remoteId, products, aliases, ...facts } of entries) {
        await tx.institution.upsert({ where: { institutionId }, create: { institutionId, ...facts }, update: facts });
        const route = { remoteId, products: [...products] };
        await tx.institutionRoute.upsert({
          where: { institutionId_provider: { institutionId, provider } },
          create: { institutionId, provider, ...route },
          update: route,
        });
        await tx.institutionAlias.deleteMany({ where: { institutionId, alias: { notIn: [...aliases] } } });
        await tx.institutionAlias.createMany({ data: aliases.map((alias) => ({ alias, institutionId })), skipDuplicates: true });
      }
      await tx.institutionRoute.deleteMany({ where: { provider, institutionId: { notIn: entries.map((entry) => entry.institutionId) } } });
    });
  }

  /**
   * Institutions whose name, or a word of it, begins with the query, or nearly so when none does: featured first, then by
   * the order of countries, then by name. `cursor` is what an earlier answer gave as `next`; an unreadable one throws a RangeError.
   */
  async search(filter: InstitutionFilter, { query, country, cursor, limit }: { query: string; country: string | null; cursor: string | null; limit: number }): Promise<{ institutions: InstitutionRecord[]; next: string | null }> {
    const offset = cursor === null ? 0 : readOffset(cursor);
    const available = { AND: [whereAvailable(filter), country === null ? {} : { country }] };
    const exact = await this.inOrder(query === '' ? available : { AND: [available, startsWith(query)] });
    const rows = exact.length > 0 || query === '' ? exact : nearest(query, await this.inOrder(available));
    const ranked = filter.countries.length < 2 ? rows : [...rows].sort((a, b) => Number(b.isFeatured) - Number(a.isFeatured) || rank(filter, a) - rank(filter, b));
    const page = ranked.slice(offset, offset + limit);
    const end = offset + page.length;
    return { institutions: page.map(toRecord), next: end < ranked.length ? Buffer.from(String(end)).toString('base64url') : null };
  }

  private inOrder(where: Prisma.InstitutionWhereInput): Promise<FoundInstitution[]> {
    return this.ctx.database.prisma.institution.findMany({ where, include: WITH_ROUTES, orderBy: [{ isFeatured: 'desc' }, { name: 'asc' }, { institutionId: 'asc' }] });
  }

  /** By id or alias, whether or not a session could use it. */
  async find(environments: readonly Environment[], id: string): Promise<InstitutionRecord | null> {
    const row = await this.ctx.database.prisma.institution.findFirst({
      where: { environment: { in: [...environments] }, OR: [{ institutionId: id }, { aliases: { some: { alias: id } } }] },
      include: WITH_ROUTES,
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
      where: { AND: [whereAvailable(filter), { OR: [{ institutionId: id }, { aliases: { some: { alias: id } } }] }] },
      include: WITH_ROUTES,
    });
    return row === null ? null : toRecord(row);
  }

  /** Names of all providers that reach any institution. */
  async providerNames(): Promise<string[]> {
    const rows = await this.ctx.database.prisma.institutionRoute.findMany({ distinct: ['provider'], select: { provider: true } });
    return rows.map((row) => row.provider);
  }
}

/** The name, a word of it, or the domain. */
function startsWith(query: string): Prisma.InstitutionWhereInput {
  // Prisma makes a LIKE of it and leaves these as they are.
  const text = query.replaceAll(/[\\%_]/g, '\\$&');
  return {
    OR: [
      { name: { startsWith: text, mode: 'insensitive' } },
      { name: { contains: ` ${text}`, mode: 'insensitive' } },
      { domain: { startsWith: text, mode: 'insensitive' } },
    ],
  };
}

/** Those that the person may have meant, the likeliest first. */
function nearest(query: string, rows: readonly FoundInstitution[]): FoundInstitution[] {
  return rows
    .map((row) => ({ row, distance: mistypedPrefix(query, row.name) }))
    .filter((found): found is { row: FoundInstitution; distance: number } => found.distance !== null)
    .sort((a, b) => a.distance - b.distance)
    .map(({ row }) => row);
}

function whereAvailable(filter: InstitutionFilter): Prisma.InstitutionWhereInput {
  return {
    environment: { in: [...filter.environments] },
    ...(filter.countries.length === 0 ? {} : { country: { in: [...filter.countries] } }),
    ...(filter.oauthPossible ? {} : { login: { not: 'oauth' } }),
    routes: {
      some: {
        products: { hasEvery: [...filter.requiredProducts] },
        ...(filter.providers.length === 0 ? {} : { provider: { in: [...filter.providers] } }),
      },
    },
  };
}

function rank(filter: InstitutionFilter, row: { country: string }): number {
  return filter.countries.indexOf(row.country);
}

function readOffset(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  if (!/^\d{1,9}$/.test(text)) throw new RangeError('unreadable cursor');
  return Number(text);
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
    routes: row.routes.map(({ provider, remoteId, products, health }) => ({
      provider,
      remoteId,
      products: products as Product[],
      health: health as InstitutionRecord['routes'][number]['health'],
    })),
  };
}
