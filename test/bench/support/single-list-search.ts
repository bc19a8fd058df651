import {
  beginsLike,
  searchable,
  MIN_LENGTH_WITH_TYPOS,
  typosBetween,
} from '../../../domain/institutions/search-text.js';
import type { Context } from '../../../prisma/base/context.js';

const LIMIT = 21;
const MAX_SIMILAR = 100;
/** $1 environments, $2 countries, $3 providers, $4 products, $5 the session has a redirect_uri, $6 limit, $7 text. */
const ROUTE = `SELECT FROM institution_routes r
                WHERE r.institution_id = i.institution_id AND r.products @> $4::text[] AND ($5::boolean OR r.login IN ('form', 'none')) AND (cardinality($3::text[]) = 0 OR r.provider = ANY ($3))`;
const BROWSE = `
SELECT shelved.institution_id
  FROM (VALUES (true), (false)) AS shelf(is_featured)
 CROSS JOIN unnest($2::text[]) WITH ORDINALITY AS country(code, rank)
 CROSS JOIN unnest($1::text[]) AS environment(name)
 CROSS JOIN LATERAL (
       SELECT i.institution_id, i.search_text FROM institutions i
        WHERE i.environment = environment.name AND i.country = country.code AND i.is_featured = shelf.is_featured
          AND NOT i.hidden AND EXISTS (${ROUTE})
        ORDER BY i.search_text, i.institution_id LIMIT $6::int) AS shelved
 ORDER BY shelf.is_featured DESC, country.rank, shelved.search_text, shelved.institution_id LIMIT $6::int`;
const MATCHES = `
SELECT i.institution_id FROM institutions i
 WHERE (i.search_text LIKE $7 || '%' OR i.search_text LIKE '% ' || $7 || '%')
   AND i.environment = ANY ($1::text[]) AND i.country = ANY ($2::text[]) AND NOT i.hidden AND EXISTS (${ROUTE})
 ORDER BY i.search_text LIKE $7 || '%' DESC, i.is_featured DESC, array_position($2::text[], i.country), i.search_text, i.institution_id
 LIMIT $6::int`;
const SIMILAR = `
SELECT i.institution_id, i.search_text FROM institutions i
 WHERE i.environment = ANY ($1::text[]) AND i.country = ANY ($2::text[]) AND NOT i.hidden
   AND i.search_text NOT LIKE $7 || '%' AND i.search_text NOT LIKE '% ' || $7 || '%' AND EXISTS (${ROUTE})
 ORDER BY $7 <<-> i.search_text, i.search_text, i.institution_id LIMIT $6::int`;

/**
 * The first page of a search as it was with one provider, before an institution had several routes
 * and configurations could be disabled: the limit for today's search.
 */
export async function searchSingleList(
  { database: { pool, prisma } }: Context,
  countries: readonly string[],
  query: string,
): Promise<number> {
  const text = searchable(query);
  const scope = [['live'], countries, [], [], true];
  const read = async (name: string, statement: string, ...values: unknown[]) =>
    (
      await pool.query<{ institution_id: string; search_text: string }>({
        name: `single-list-${name}`,
        text: statement,
        values: [...scope, ...values],
      })
    ).rows;
  const found =
    text === '' ? await read('browse', BROWSE, LIMIT) : await read('matches', MATCHES, LIMIT, text);
  if (text.length >= MIN_LENGTH_WITH_TYPOS && found.length < LIMIT)
    found.push(
      ...(await read('similar', SIMILAR, MAX_SIMILAR, text)).filter(
        (row) => typosBetween(text, row.search_text) !== null || beginsLike(text, row.search_text),
      ),
    );
  const institutionIds = found.slice(0, LIMIT - 1).map((row) => row.institution_id);
  const rows = await prisma.institution.findMany({
    where: { institutionId: { in: institutionIds } },
    include: { aliases: true, routes: { orderBy: [{ priority: 'desc' }, { provider: 'asc' }] } },
  });
  return rows.length;
}
