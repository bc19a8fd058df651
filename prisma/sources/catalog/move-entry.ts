import type pg from 'pg';
import type { ListedInstitution } from '../../../domain/institutions/listed-institution.js';
import { CatalogChangeRefused } from './catalog-change-refused.js';
import { storeInstitutions } from './store-institutions.js';

export interface StoredEntry {
  provider: string;
  remoteId: string;
  facts: ListedInstitution;
  institutionId: string;
  environment: string;
}

/** @throws CatalogChangeRefused when the provider never listed the id */
export async function findEntry(
  client: pg.PoolClient,
  provider: string,
  remoteId: string,
): Promise<StoredEntry> {
  const { rows } = await client.query<StoredEntry>(
    `SELECT entry.provider, entry.remote_id AS "remoteId", entry.facts, entry.institution_id AS "institutionId", institution.environment
       FROM catalog_entries entry JOIN institutions institution USING (institution_id)
      WHERE entry.provider = $1 AND entry.remote_id = $2`,
    [provider, remoteId],
  );
  const [entry] = rows;
  if (entry === undefined)
    throw new CatalogChangeRefused(`${provider} never listed an institution "${remoteId}".`);
  return entry;
}

/** Keeps an entry where it is, regardless of later lists. */
export async function confirmEntry(
  client: pg.PoolClient,
  { provider, remoteId }: StoredEntry,
): Promise<void> {
  await client.query(
    `UPDATE catalog_entries SET matched_by = 'operator', doubts = '{}' WHERE provider = $1 AND remote_id = $2`,
    [provider, remoteId],
  );
}

/**
 * Moves an entry, its route and its aliases to another institution, which may be new.
 * @throws CatalogChangeRefused while links use the route, because an institution never changes
 * under a link
 */
export async function moveEntry(
  client: pg.PoolClient,
  entry: StoredEntry,
  institutionId: string,
): Promise<void> {
  const { provider, remoteId, environment, facts } = entry;
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM links WHERE institution_id = $1 AND provider = $2 AND state <> 'deleted'`,
    [entry.institutionId, provider],
  );
  const links = rows[0]?.count ?? 0;
  if (links > 0)
    throw new CatalogChangeRefused(
      `${links} ${links === 1 ? 'link uses' : 'links use'} ${entry.institutionId} through ${provider}, and an institution never changes under a link.`,
    );
  await confirmEntry(client, entry);
  await client.query(
    `UPDATE catalog_entries SET institution_id = $3 WHERE provider = $1 AND remote_id = $2`,
    [provider, remoteId, institutionId],
  );
  await storeInstitutions(client, () => environment, [entry.institutionId, institutionId]);
  await client.query(
    `UPDATE institution_routes SET institution_id = $3 WHERE provider = $1 AND remote_id = $2`,
    [provider, remoteId, institutionId],
  );
  await client.query(
    `UPDATE institution_aliases SET institution_id = $3 WHERE provider = $1 AND institution_id = $2 AND alias = ANY ($4::text[])`,
    [provider, entry.institutionId, institutionId, facts.aliases],
  );
}
