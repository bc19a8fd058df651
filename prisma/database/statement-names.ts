/** More different texts than the code has; lists of values of every length make some. */
const MOST_NAMES = 500;

/**
 * Names for statements, so that a connection has each parsed once, and planned once where the plan does not depend on the
 * values: of a short statement that is most of what it costs. One pool has one text for a name. What comes after the
 * first few hundred texts goes without, since connections keep what they have prepared.
 */
export function nameStatements(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    // An empty name is none.
    if (names.size >= MOST_NAMES) return '';
    const name = `s${names.size + 1}`;
    names.set(sql, name);
    return name;
  };
}
