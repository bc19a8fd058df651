import type { Environment } from '../../../domain/api/environment.js';
import {
  builtInLogo,
  type OfferedInstitution,
  offeredEntry,
} from '../../../domain/institutions/offered-institution.js';
import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';
import {
  availableInstitution,
  usableRouteParameters,
  type InstitutionFilter,
} from './institution-availability.js';
import { toRecord, WITH_ROUTES, type InstitutionRecord } from './institution-record.js';
import { searchInstitutions, type InstitutionQuery } from './search-institutions.js';
import { LogoRepository } from './logo.repository.js';
import { storeCatalog } from '../catalog/store-catalog.js';

export type { InstitutionRecord } from './institution-record.js';

/** The institutions a user can choose from, and their routes. */
export class InstitutionRepository {
  constructor(private readonly ctx: Context) {}

  /** Syncs the stored catalog of one provider with the provider's current offer. Idempotent. */
  async syncCatalog(provider: string, institutions: readonly OfferedInstitution[]): Promise<void> {
    await syncCatalog(this.ctx, provider, institutions);
  }

  /** One page of a session's choices; see `searchInstitutions`. */
  async search(
    filter: InstitutionFilter,
    query: InstitutionQuery,
  ): Promise<{ institutions: InstitutionRecord[]; next: string | null }> {
    const { institutionIds, next } = await searchInstitutions(this.ctx.database, filter, query);
    return { institutions: await this.records(institutionIds), next };
  }

  /**
   * One page of all institutions, in id order. `name` matches a name or its prefix. Source:
   * native-api 3.7.
   */
  async list(
    filter: InstitutionFilter,
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
      values: [...usableRouteParameters(filter), after, name, featured, limit + 1],
    });
    const ids = found.slice(0, limit).map((row) => row.institution_id);
    return { institutions: await this.records(ids), hasMore: found.length > limit };
  }

  /** A slice of the matching institutions, in id order, and their total. `oauth` null = either. */
  async browse(
    filter: InstitutionFilter,
    { oauth, offset, limit }: { oauth: boolean | null; offset: number; limit: number },
  ): Promise<{ institutions: InstitutionRecord[]; total: number }> {
    const { rows } = await this.ctx.database.pool.query<{
      total: number;
      institution_ids: string[];
    }>({
      name: 'institution-slice',
      text: loadSql('institution-slice'),
      values: [...usableRouteParameters(filter), oauth, limit, offset],
    });
    const { total = 0, institution_ids: ids = [] } = rows[0] ?? {};
    return { institutions: await this.records(ids), total };
  }

  /** Finds an institution by id or alias, whether or not a session could use it. */
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

  /** Finds an institution by a provider and the provider's own id for it. */
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

  /** For the public monogram: by id only, in any environment. */
  async findAny(id: string): Promise<InstitutionRecord | null> {
    return this.find(['sandbox', 'live'], id);
  }

  /** The picture of a logo, as PNG. */
  async logo(digest: string): Promise<Buffer | null> {
    return new LogoRepository(this.ctx).picture(digest);
  }

  /** Finds the institution if a session with this filter may use it; otherwise null. */
  async findAvailable(filter: InstitutionFilter, id: string): Promise<InstitutionRecord | null> {
    const found = await availableInstitution(this.ctx.database.prisma, filter, id);
    return found === null ? null : ((await this.records([found]))[0] ?? null);
  }

  /** The providers through which an institution is reached, best first. */
  async routesOf(institutionId: string): Promise<{ provider: string; remoteId: string }[]> {
    return this.ctx.database.prisma.institutionRoute.findMany({
      where: { institutionId },
      orderBy: [{ priority: 'desc' }, { provider: 'asc' }],
      select: { provider: true, remoteId: true },
    });
  }

  /** The names of all providers that have routes. */
  async providerNames(): Promise<string[]> {
    const rows = await this.ctx.database.prisma.institutionRoute.findMany({
      distinct: ['provider'],
      select: { provider: true },
    });
    return rows.map((row) => row.provider);
  }

  /** Records in the order of the ids. */
  private async records(ids: readonly string[]): Promise<InstitutionRecord[]> {
    if (ids.length === 0) return [];
    const rows = await this.ctx.database.prisma.institution.findMany({
      where: { institutionId: { in: [...ids] } },
      include: WITH_ROUTES,
    });
    const byId = new Map(rows.map((row) => [row.institutionId, toRecord(row)]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }
}

/** Syncs the stored catalog of one provider with the provider's current offer. Idempotent. */
async function syncCatalog(
  ctx: Context,
  provider: string,
  institutions: readonly OfferedInstitution[],
): Promise<void> {
  await storeCatalog(ctx, {
    provider,
    environment: 'live',
    givenEnvironments: new Map(
      institutions.map(({ institutionId, environment }) => [institutionId, environment]),
    ),
    entries: institutions.map(offeredEntry),
    refuseLosses: false,
  });
  const logos = new LogoRepository(ctx);
  for (const { institutionId, logo } of institutions)
    if (logo !== undefined)
      await logos.keep(builtInLogo(institutionId), Buffer.from(logo, 'base64'));
  await logos.assign();
}
