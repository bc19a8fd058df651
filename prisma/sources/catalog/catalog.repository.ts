import type { Environment } from '../../../domain/api/environment.js';
import type { ListedInstitution } from '../../../domain/institutions/listed-institution.js';
import type { Context } from '../../base/context.js';
import type { CatalogOutcome } from './catalog-outcome.js';
import { OPEN_DOUBTS } from './open-doubts.js';
import { storeCatalog } from './store-catalog.js';

export type { CatalogOutcome } from './catalog-outcome.js';

export interface CatalogCounts {
  provider: string;
  /** Entries of its last list. */
  listed: number;
  /** Entries of earlier lists. */
  gone: number;
  /** Listed entries that an operator should look at. */
  doubtful: number;
}

/** The lists of providers. */
export class CatalogRepository {
  constructor(private readonly ctx: Context) {}

  /** The environment of a configuration; null = none has this name. */
  async environmentOf(configuration: string): Promise<Environment | null> {
    const row = await this.ctx.database.prisma.providerConfiguration.findUnique({
      where: { name: configuration },
      select: { environment: true },
    });
    return (row?.environment ?? null) as Environment | null;
  }

  /** The configurations in use, by name. */
  async configurations(): Promise<string[]> {
    const rows = await this.ctx.database.prisma.providerConfiguration.findMany({
      where: { enabled: true, broken: false },
      select: { name: true },
      orderBy: { name: 'asc' },
    });
    return rows.map(({ name }) => name);
  }

  /**
   * Switches to a provider's new list. Refuses one that lacks more than half of the known entries,
   * unless losses are accepted. Idempotent.
   */
  async switchTo(list: {
    provider: string;
    environment: Environment;
    entries: readonly ListedInstitution[];
    acceptLosses: boolean;
  }): Promise<CatalogOutcome> {
    const { acceptLosses, ...same } = list;
    return storeCatalog(this.ctx, { ...same, refuseLosses: !acceptLosses });
  }

  /** By provider, sorted by name. */
  async counts(): Promise<CatalogCounts[]> {
    const { rows } = await this.ctx.database.pool.query<CatalogCounts>(
      `SELECT provider, count(*) FILTER (WHERE gone_since IS NULL)::int AS listed,
              count(*) FILTER (WHERE gone_since IS NOT NULL)::int AS gone,
              count(*) FILTER (WHERE gone_since IS NULL AND ${OPEN_DOUBTS} IS NOT NULL)::int AS doubtful
         FROM catalog_entries entry GROUP BY provider ORDER BY provider`,
    );
    return rows;
  }
}
