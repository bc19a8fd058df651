import type pg from 'pg';
import { institutionSlug } from '../../../domain/institutions/institution-slug.js';
import { searchable } from '../../../domain/institutions/search-text.js';
import type { Context } from '../../base/context.js';
import { inPoolTransaction } from '../../base/database/pool-transaction.js';
import { CatalogChangeRefused } from './catalog-change-refused.js';
import { confirmEntry, findEntry, moveEntry } from './move-entry.js';
import { OPEN_DOUBTS } from './open-doubts.js';
import { CATALOG_LOCK, takenIds } from './store-catalog.js';

export { CatalogChangeRefused } from './catalog-change-refused.js';

export interface FoundInstitution {
  institutionId: string;
  name: string;
  country: string;
  environment: string;
  domain: string | null;
  hidden: boolean;
  /** `provider: remote id (login)` of each route. */
  routes: string[];
}

export interface DoubtfulEntry {
  provider: string;
  remoteId: string;
  name: string;
  country: string;
  institutionId: string;
  /** Best first. */
  doubts: string[];
}

const MAX_FOUND = 50;

/** The operators' view of the catalog, and their decisions, which outlast every sync. */
export class CatalogOperatorRepository {
  constructor(private readonly ctx: Context) {}

  /** By id, a provider's id, or words of a name; at most 50, sorted by name. */
  async find(text: string): Promise<FoundInstitution[]> {
    const words = searchable(text);
    const { rows } = await this.ctx.database.pool.query<FoundInstitution>(
      `SELECT institution.institution_id AS "institutionId", institution.name, institution.country, institution.environment,
              institution.domain, institution.hidden,
              ARRAY (SELECT format('%s: %s (%s)', route.provider, route.remote_id, route.login) FROM institution_routes route
                      WHERE route.institution_id = institution.institution_id ORDER BY route.provider) AS routes
         FROM institutions institution
        WHERE institution.institution_id = $1
           OR ($2 <> '' AND (institution.search_text LIKE $2 || '%' OR institution.search_text LIKE '% ' || $2 || '%'))
           OR institution.institution_id IN (SELECT institution_id FROM institution_aliases WHERE alias = $1)
           OR institution.institution_id IN (SELECT institution_id FROM catalog_entries WHERE remote_id = $1)
        ORDER BY institution.search_text, institution.institution_id LIMIT ${MAX_FOUND}`,
      [text, words],
    );
    return rows;
  }

  /**
   * Listed entries that were kept apart from possible institutions, and may still be joined with
   * them.
   */
  async doubts(): Promise<DoubtfulEntry[]> {
    const { rows } = await this.ctx.database.pool.query<DoubtfulEntry>(
      `SELECT provider, remote_id AS "remoteId", facts ->> 'name' AS name, facts ->> 'country' AS country,
              institution_id AS "institutionId", open.doubts
         FROM catalog_entries entry CROSS JOIN LATERAL (SELECT ${OPEN_DOUBTS} AS doubts) open
        WHERE open.doubts IS NOT NULL AND gone_since IS NULL
        ORDER BY provider, facts ->> 'name', remote_id`,
    );
    return rows;
  }

  /** Joins an entry with an institution. @throws CatalogChangeRefused */
  async join(provider: string, remoteId: string, institutionId: string): Promise<void> {
    await this.change(async (client) => {
      const entry = await findEntry(client, provider, remoteId);
      const { rows } = await client.query<{
        environment: string;
        country: string;
        served: string | null;
      }>(
        `SELECT environment, country,
                (SELECT remote_id FROM institution_routes WHERE institution_id = $1 AND provider = $2) AS served
           FROM institutions WHERE institution_id = $1`,
        [institutionId, provider],
      );
      const [target] = rows;
      if (target === undefined)
        throw new CatalogChangeRefused(`There is no institution ${institutionId}.`);
      if (entry.institutionId === institutionId) return confirmEntry(client, entry);
      if (target.environment !== entry.environment || target.country !== entry.facts.country)
        throw new CatalogChangeRefused(
          `${institutionId} is an institution of ${target.country}, ${target.environment}; "${remoteId}" is one of ${entry.facts.country}, ${entry.environment}.`,
        );
      if (target.served !== null)
        throw new CatalogChangeRefused(
          `${provider} reaches ${institutionId} already, as "${target.served}".`,
        );
      await moveEntry(client, entry, institutionId);
    });
  }

  /**
   * Separates an entry from the institution it was joined with. An entry that is alone there stays,
   * and is no longer in doubt. @returns the id of its institution. @throws CatalogChangeRefused
   */
  async split(provider: string, remoteId: string): Promise<string> {
    return this.change(async (client) => {
      const entry = await findEntry(client, provider, remoteId);
      const { rows } = await client.query(
        `SELECT FROM catalog_entries WHERE institution_id = $1 AND (provider, remote_id) <> ($2, $3)
         UNION ALL SELECT FROM institution_routes WHERE institution_id = $1 AND provider <> $2 LIMIT 1`,
        [entry.institutionId, provider, remoteId],
      );
      if (rows.length === 0) {
        await confirmEntry(client, entry);
        return entry.institutionId;
      }
      const taken = await takenIds(client);
      const institutionId = institutionSlug(entry.facts, (id) => taken.has(id));
      await moveEntry(client, entry, institutionId);
      return institutionId;
    });
  }

  /**
   * Stops or resumes offering an institution; its links keep working. @returns whether it exists
   */
  async setHidden(institutionId: string, hidden: boolean): Promise<boolean> {
    const { count } = await this.ctx.database.prisma.institution.updateMany({
      where: { institutionId },
      data: { hidden },
    });
    return count > 0;
  }

  private change<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return inPoolTransaction(this.ctx.database.pool, work, CATALOG_LOCK);
  }
}
