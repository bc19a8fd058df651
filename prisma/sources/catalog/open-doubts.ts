/**
 * SQL: the institutions that a row of `catalog_entries entry` may be, best first; null = none. A
 * doubt is resolved once a join has left its institution without a route, or has moved another
 * entry of the same provider there.
 */
export const OPEN_DOUBTS = `(
  SELECT array_agg(doubt ORDER BY position) FROM unnest(entry.doubts) WITH ORDINALITY AS doubted (doubt, position)
   WHERE EXISTS (SELECT FROM institution_routes route WHERE route.institution_id = doubt)
     AND NOT EXISTS (SELECT FROM catalog_entries placed
                      WHERE placed.institution_id = doubt AND placed.provider = entry.provider AND placed.matched_by = 'operator'))`;
