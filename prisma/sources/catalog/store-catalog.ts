import type pg from 'pg';
import type { Environment } from '../../../domain/api/environment.js';
import {
  joinInstitutions,
  type JoinedEntry,
} from '../../../domain/institutions/join-institutions.js';
import type { ListedInstitution } from '../../../domain/institutions/listed-institution.js';
import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';
import { inPoolTransaction } from '../../base/database/pool-transaction.js';
import type { CatalogOutcome } from './catalog-outcome.js';
import { inSlices } from './slices.js';
import { storeInstitutions } from './store-institutions.js';
import { createHash } from 'node:crypto';

/** One change of the catalog at a time, so that no institution is created twice. */
export const CATALOG_LOCK = "BEGIN; SELECT pg_advisory_xact_lock(hashtext('institution-catalog'))";

export interface ProviderList {
  provider: string;
  /** The environment of the configuration: institutions of Sandbox and Live are never joined. */
  environment: Environment;
  /**
   * The environments of institutions whose ids come from the provider; the others are in
   * `environment`.
   */
  givenEnvironments?: ReadonlyMap<string, Environment>;
  /** The whole list. Among entries with the same remote id, the first counts. */
  entries: readonly ListedInstitution[];
  /** Whether a list that lacks more than half of the known entries is refused. */
  refuseLosses: boolean;
}

interface KnownEntry {
  remote_id: string;
  sha256: string | null;
  institution_id: string;
  is_listed: boolean;
  has_route: boolean;
}

/**
 * Switches the stored catalog of one provider to its list, in one transaction. Unchanged data is
 * not written.
 */
export async function storeCatalog(
  { database, clock }: Context,
  { provider, environment, givenEnvironments, entries, refuseLosses }: ProviderList,
): Promise<CatalogOutcome> {
  const byId = new Map([...entries].reverse().map((entry) => [entry.remoteId, entry]));
  const listed = [...byId.values()].map((facts) => ({ facts, sha256: factsDigest(facts) }));
  return inPoolTransaction(
    database.pool,
    async (client) => {
      const { rows: known } = await client.query<KnownEntry>(loadSql('catalog-known'), [provider]);
      const listedBefore = known.filter((entry) => entry.is_listed);
      const gone = listedBefore.filter((entry) => !byId.has(entry.remote_id));
      if (refuseLosses && gone.length * 2 > listedBefore.length)
        return {
          kind: 'refused' as const,
          listed: listed.length,
          known: listedBefore.length,
          missing: gone.length,
        };
      const before = new Map(known.map((entry) => [entry.remote_id, entry]));
      const written = listed.filter(({ facts, sha256 }) => {
        const stored = before.get(facts.remoteId);
        return stored?.sha256 !== sha256 || !stored.is_listed || !stored.has_route;
      });
      const joined = await join(client, environment, {
        entries: listed.map(({ facts }) => facts),
        seen: new Map(known.map((entry) => [entry.remote_id, entry.institution_id])),
      });
      const rows = written.map(({ facts, sha256 }) => entryRow(facts, sha256, joined));
      const remoteIds = rows.map((row) => row.remote_id);
      for (const slice of inSlices(rows))
        await client.query(loadSql('catalog-store-entries'), [provider, JSON.stringify(slice)]);
      for (const slice of inSlices(gone.map((entry) => entry.remote_id)))
        await client.query(loadSql('catalog-mark-gone'), [provider, slice, clock()]);
      await storeInstitutions(client, (id) => givenEnvironments?.get(id) ?? environment, [
        ...new Set([...rows, ...gone].map((row) => row.institution_id)),
      ]);
      await storeRoutes(client, provider, remoteIds);
      const added = rows.filter((row) => !before.has(row.remote_id));
      return {
        kind: 'switched' as const,
        listed: listed.length,
        added: added.length,
        changed: rows.length - added.length,
        gone: gone.length,
        doubtful: added.filter(({ doubts }) => doubts.length > 0).length,
      };
    },
    CATALOG_LOCK,
  );
}

/** The routes and aliases of listed entries whose institutions are stored. */
export async function storeRoutes(
  client: pg.PoolClient,
  provider: string,
  remoteIds: readonly string[],
): Promise<void> {
  for (const slice of inSlices(remoteIds)) {
    await client.query(loadSql('catalog-store-routes'), [provider, slice]);
    await client.query(loadSql('catalog-store-aliases'), [provider, slice]);
  }
}

async function join(
  client: pg.PoolClient,
  environment: Environment,
  { entries, seen }: { entries: readonly ListedInstitution[]; seen: Map<string, string> },
): Promise<Map<string, JoinedEntry>> {
  const fresh = entries.filter(
    ({ remoteId, institutionId }) => !seen.has(remoteId) && institutionId === null,
  );
  if (fresh.length === 0)
    return joinInstitutions({ entries, seen, known: [], isTaken: () => false });
  const countries = [...new Set(fresh.map(({ country }) => country))];
  const { rows: candidates } = await client.query<{
    institution_id: string;
    country: string;
    name: string;
    domains: string[];
    bics: string[];
  }>(loadSql('catalog-candidates'), [environment, countries]);
  const taken = await takenIds(client);
  return joinInstitutions({
    entries,
    seen,
    known: candidates.map(({ institution_id: institutionId, ...facts }) => ({
      institutionId,
      ...facts,
    })),
    isTaken: (id) => taken.has(id),
  });
}

/** Institutions are never deleted, so every id that was ever in use is included. */
export async function takenIds(client: pg.PoolClient): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>(loadSql('catalog-taken-ids'));
  return new Set(rows.map(({ id }) => id));
}

function entryRow(
  facts: ListedInstitution,
  sha256: string,
  joined: ReadonlyMap<string, JoinedEntry>,
) {
  const found = joined.get(facts.remoteId);
  if (found === undefined) throw new Error('every entry is joined');
  return {
    remote_id: facts.remoteId,
    facts,
    sha256,
    institution_id: found.institutionId,
    matched_by: found.matchedBy,
    doubts: found.doubts,
  };
}

/** SHA-256 of an entry's facts in hex, regardless of the order of its fields. Equal = unchanged. */
function factsDigest(facts: ListedInstitution): string {
  const fields = Object.entries(facts).sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}
