import { COUNTRIES } from '../../../domain/institutions/countries.js';
import {
  beginsLike,
  searchable,
  MIN_LENGTH_WITH_TYPOS,
  typosBetween,
} from '../../../domain/institutions/search-text.js';
import type { Database } from '../../base/database/database.js';
import { loadSql } from '../../base/database/load-sql.js';
import { usableRouteParameters, type InstitutionFilter } from './institution-availability.js';

export interface InstitutionQuery {
  /** The typed text. */
  query: string;
  /** One of the countries in the filter. */
  country: string | null;
  /** `next` of the previous page. */
  cursor: string | null;
  limit: number;
}

export interface InstitutionPage {
  institutionIds: string[];
  next: string | null;
}

/** The start of a page: among the prefix matches or among the similar names. */
interface Place {
  among: 'matches' | 'similar';
  offset: number;
}

interface SimilarRow {
  institution_id: string;
  search_text: string;
  is_featured: boolean;
  country_rank: number;
}

/** The number of similar names that are examined for plausible typos. */
const MAX_SIMILAR = 100;

/**
 * One page of the institutions a session may choose from. Prefix matches come first, then names
 * that match except for typos, fewest typos first. Every part is read from an index. Source:
 * connect 4.
 * @throws RangeError when the cursor is unreadable
 */
export async function searchInstitutions(
  { pool }: Database,
  filter: InstitutionFilter,
  { query, country, cursor, limit }: InstitutionQuery,
): Promise<InstitutionPage> {
  const place = cursor === null ? { among: 'matches' as const, offset: 0 } : readPlace(cursor);
  const text = searchable(query);
  const allowed = filter.countries.length === 0 ? COUNTRIES : filter.countries;
  const countries = country === null ? allowed : allowed.filter((code) => code === country);
  if (countries.length === 0 || (text === '' && query.trim() !== ''))
    return { institutionIds: [], next: null };
  const scope = usableRouteParameters({ ...filter, countries });
  const read = async <Row extends { institution_id: string }>(name: string, ...values: unknown[]) =>
    (await pool.query<Row>({ name, text: loadSql(name), values: [...scope, ...values] })).rows;

  const found: string[] = [];
  if (place.among === 'matches') {
    // One row more than the limit shows whether there is another page.
    const rows =
      text === ''
        ? await read('institution-browse', limit + 1, place.offset)
        : await read('institution-matches', limit + 1, place.offset, text);
    found.push(...rows.slice(0, limit).map((row) => row.institution_id));
    if (rows.length > limit)
      return {
        institutionIds: found,
        next: writePlace({ among: 'matches', offset: place.offset + limit }),
      };
  }
  if (text.length < MIN_LENGTH_WITH_TYPOS) return { institutionIds: found, next: null };
  const meant = rankSimilar(text, await read<SimilarRow>('institution-similar', MAX_SIMILAR, text));
  const from = place.among === 'similar' ? place.offset : 0;
  const to = from + limit - found.length;
  return {
    institutionIds: [...found, ...meant.slice(from, to)],
    next: to < meant.length ? writePlace({ among: 'similar', offset: to }) : null,
  };
}

/** Keeps plausible typos. The rows arrive in order of similarity, which breaks ties. */
function rankSimilar(text: string, rows: readonly SimilarRow[]): string[] {
  return rows
    .map((row) => ({
      ...row,
      typos: typosBetween(text, row.search_text),
      begins: beginsLike(text, row.search_text),
    }))
    .filter((row): row is typeof row & { typos: number } => row.typos !== null)
    .sort(
      (a, b) =>
        a.typos - b.typos ||
        Number(b.begins) - Number(a.begins) ||
        Number(b.is_featured) - Number(a.is_featured) ||
        a.country_rank - b.country_rank,
    )
    .map((row) => row.institution_id);
}

function writePlace({ among, offset }: Place): string {
  return Buffer.from(`${among}:${offset}`).toString('base64url');
}

function readPlace(cursor: string): Place {
  const [, among, offset] =
    /^(matches|similar):(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (among === undefined || offset === undefined) throw new RangeError('unreadable cursor');
  return { among: among as Place['among'], offset: Number(offset) };
}
