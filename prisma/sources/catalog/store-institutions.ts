import type pg from 'pg';
import type { ListedInstitution } from '../../../domain/institutions/listed-institution.js';
import { sharedFacts, type ProviderEntry } from '../../../domain/institutions/shared-facts.js';
import { loadSql } from '../../base/database/load-sql.js';
import { inSlices } from './slices.js';

/**
 * Creates institutions in their environment, and updates them from the lists of their providers,
 * the best entry first. An institution that no provider lists any longer stays as it was.
 */
export async function storeInstitutions(
  client: pg.PoolClient,
  environmentOf: (institutionId: string) => string,
  institutionIds: readonly string[],
): Promise<void> {
  for (const ids of inSlices(institutionIds)) {
    const { rows } = await client.query<{
      institution_id: string;
      provider: string;
      facts: ListedInstitution;
    }>(loadSql('catalog-entries-of'), [ids]);
    const entriesOf = new Map<string, ProviderEntry[]>(ids.map((id) => [id, []]));
    for (const { institution_id: id, provider, facts } of rows)
      entriesOf.get(id)?.push({ provider, facts });
    const institutions = ids.flatMap((id) => {
      const facts = sharedFacts(entriesOf.get(id) ?? []);
      if (facts === null) return [];
      const { logoUrl, colorDark, isFeatured, searchText, ...same } = facts;
      return [
        {
          institution_id: id,
          environment: environmentOf(id),
          ...same,
          logo_url: logoUrl,
          color_dark: colorDark,
          is_featured: isFeatured,
          search_text: searchText,
        },
      ];
    });
    await client.query(loadSql('catalog-store-institutions'), [JSON.stringify(institutions)]);
  }
}
