import { searchable, typosBetween } from '../../../domain/institutions/search-text.js';
import { FAILING_FROM } from '../../../domain/institutions/route-health.js';
import type { Database } from '../../base/database/database.js';
import { Values, type Statement } from '../../base/database/statement.js';

/** Names that are compared with a text. */
export const MAX_COMPARED = 100;

/** `after`: empty = from the first. */
export interface BankPage {
  after: string;
  limit: number;
}

export function bankPageStatement({ after, limit }: BankPage): Statement {
  const values = new Values();
  return values.statement(`
    SELECT institution_id FROM institutions
     WHERE institution_id > ${values.add(after)} ORDER BY institution_id LIMIT ${values.add(limit)}`);
}

/** Ids of institutions, in their order. */
export async function listBankIds(
  { pool }: Pick<Database, 'pool'>,
  page: BankPage,
): Promise<string[]> {
  const { rows } = await pool.query<{ institution_id: string }>(bankPageStatement(page));
  return rows.map((row) => row.institution_id);
}

/** The nearest names, in the order of an index. */
export function similarBanksStatement(words: string): Statement {
  const values = new Values();
  return values.statement(`
    SELECT institution_id, search_text FROM institutions
     ORDER BY ${values.add(words)} <<-> search_text LIMIT ${MAX_COMPARED}`);
}

/** Ids of institutions whose names contain a text, or resemble it except for typos; and the one with this id. */
export async function findBankIds(
  { pool, prisma }: Pick<Database, 'pool' | 'prisma'>,
  text: string,
): Promise<string[]> {
  const words = searchable(text);
  const named = await prisma.institution.findUnique({
    where: { institutionId: text.trim() },
    select: { institutionId: true },
  });
  const { rows } =
    words === ''
      ? { rows: [] }
      : await pool.query<{ institution_id: string; search_text: string }>(
          similarBanksStatement(words),
        );
  const similar = rows
    .filter((row) => typosBetween(words, row.search_text) !== null)
    .map((row) => row.institution_id);
  return [...new Set([...(named === null ? [] : [named.institutionId]), ...similar])];
}

/** The calls through one route, of one kind, as they are stored. */
export interface StoredHealth {
  institutionId: string;
  provider: string;
  operation: 'login' | 'fetch';
  successes: number;
  failures: number;
  lastCause: string | null;
  lastOkAt: Date | null;
  changedAt: Date;
}

export function failingRoutesStatement({ after, limit }: BankPage): Statement {
  const values = new Values();
  return values.statement(`
    SELECT institution_id AS "institutionId", provider, operation, successes, failures, last_cause AS "lastCause",
           last_ok_at AS "lastOkAt", changed_at AS "changedAt"
      FROM route_health
     WHERE failures >= ${FAILING_FROM} AND institution_id > ${values.add(after)}
     ORDER BY institution_id, provider, operation LIMIT ${values.add(limit)}`);
}

/** The routes whose recent calls failed when they were last counted, by institution. Counts decay since then. */
export async function listFailingRoutes(
  { pool }: Pick<Database, 'pool'>,
  page: BankPage,
): Promise<StoredHealth[]> {
  const { rows } = await pool.query<StoredHealth>(failingRoutesStatement(page));
  return rows;
}
