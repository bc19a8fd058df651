import { makeId } from '../../../domain/api/ids.js';
import type { FetchedSecurity } from '../../../domain/investments/fetched-security.js';
import {
  matchSecurities,
  type KnownSecurity,
} from '../../../domain/investments/match-securities.js';
import { renderSecurity } from '../../../domain/investments/present-security.js';
import {
  decodeSecurity,
  encodeSecurity,
  updatedSecurity,
} from '../../../domain/investments/security-facts.js';
import { securityKeys } from '../../../domain/investments/security-keys.js';
import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';
import type { Tx } from '../../base/database/tx.js';
import type { Link } from '../../generated/client.js';

/** The securities of one institution for one app. */
export type SecuritiesOf = Pick<Link, 'appId' | 'environment' | 'institutionId'>;

/** A security to be stored under its id. */
export interface DescribedSecurity {
  securityId: string;
  /** The holding that alone has it; null = it has keys. */
  belongsTo: string | null;
  facts: FetchedSecurity;
}

/**
 * Finds the securities of rows by their identifiers, adds new ones and updates known ones.
 * @returns their ids in the order of `fetched`; null = no security, or nothing identifies it
 */
export async function storeSecurities(
  ctx: Context,
  tx: Tx,
  of: SecuritiesOf,
  fetched: readonly (FetchedSecurity | null)[],
): Promise<(string | null)[]> {
  const described = fetched.filter((security) => security !== null);
  const keys = [...new Set(described.flatMap(securityKeys))];
  if (keys.length === 0) return fetched.map(() => null);
  let known = await knownSecurities(tx, of, keys);
  let { matches, merges } = matchSecurities(known, described);
  if (matches.includes('new')) {
    // Two links of one institution must not add the same security.
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${lockName(of)}, 0))`;
    known = await knownSecurities(tx, of, keys);
    ({ matches, merges } = matchSecurities(known, described));
  }
  const ids: (string | null)[] = [];
  for (const match of matches)
    ids.push(
      match === 'new'
        ? makeId('security', ctx.random)
        : match === 'unidentified'
          ? null
          : 'sameAs' in match
            ? (ids[match.sameAs] ?? null)
            : match.securityId,
    );
  await writeMatched(ctx, tx, of, known, described, ids);
  if (merges.length > 0)
    await tx.$executeRawUnsafe(
      loadSql('merge-securities'),
      merges.map(({ from }) => from),
      merges.map(({ into }) => into),
    );
  let next = 0;
  return fetched.map((security) => (security === null ? null : (ids[next++] ?? null)));
}

/** Each security by its first description, if that changes something. */
async function writeMatched(
  ctx: Context,
  tx: Tx,
  of: SecuritiesOf,
  known: readonly KnownSecurity[],
  described: readonly FetchedSecurity[],
  ids: readonly (string | null)[],
): Promise<void> {
  const byId = new Map(known.map((security) => [security.securityId, security]));
  const changed = new Map<string, DescribedSecurity>();
  const keys = new Map<string, string>();
  const seen = new Set<string>();
  for (const [index, security] of described.entries()) {
    const securityId = ids[index] ?? null;
    if (securityId === null || seen.has(securityId)) continue;
    seen.add(securityId);
    const before = byId.get(securityId);
    const facts = before === undefined ? security : updatedSecurity(before, security);
    if (before !== undefined && encodeSecurity(factsOf(before)) === encodeSecurity(facts)) continue;
    changed.set(securityId, { securityId, belongsTo: null, facts });
    for (const key of securityKeys(facts)) keys.set(key, securityId);
  }
  await writeSecurities(ctx, tx, of, [...changed.values()]);
  if (keys.size > 0)
    await tx.$executeRawUnsafe(
      loadSql('store-security-keys'),
      of.appId,
      of.environment,
      of.institutionId,
      [...keys.keys()],
      [...keys.values()],
    );
}

/** Writes securities under their ids. */
export async function writeSecurities(
  ctx: Pick<Context, 'clock'>,
  tx: Tx,
  { appId, environment, institutionId }: SecuritiesOf,
  securities: readonly DescribedSecurity[],
): Promise<void> {
  if (securities.length === 0) return;
  await tx.$executeRawUnsafe(
    loadSql('store-securities'),
    appId,
    environment,
    institutionId,
    ctx.clock(),
    securities.map(({ securityId }) => securityId),
    securities.map(({ belongsTo }) => belongsTo),
    securities.map(({ facts }) => encodeSecurity(facts)).join('\n'),
    securities.map(({ securityId, facts }) => renderSecurity(securityId, facts)).join('\n'),
  );
}

async function knownSecurities(
  tx: Tx,
  { appId, environment, institutionId }: SecuritiesOf,
  keys: readonly string[],
): Promise<KnownSecurity[]> {
  const rows = await tx.$queryRawUnsafe<
    { security_id: string; facts: string; merged_into: string | null }[]
  >(loadSql('known-securities'), appId, environment, institutionId, keys);
  return rows.map(({ security_id: securityId, facts, merged_into: mergedInto }) => ({
    ...decodeSecurity(facts),
    securityId,
    mergedInto,
    belongsTo: null,
  }));
}

function factsOf({ securityId: _, mergedInto: __, belongsTo: ___, ...facts }: KnownSecurity) {
  return facts;
}

const lockName = ({ appId, environment, institutionId }: SecuritiesOf) =>
  `securities/${environment}/${appId}/${institutionId}`;
