/** More distinct texts than the code contains; lists of values of varying length create some. */
const MAX_NAMES = 500;

/**
 * A plan that is created once assumes ten elements in a list, so that 500 fetched rows would be
 * compared with 500 stored ones one by one. Statements that join a list are planned for its length.
 */
const JOINS_LIST = /\bunnest\(\$\d/;

/**
 * Names statements, so that a connection parses each of them once, and plans it once if the plan
 * does not depend on the values, which is most of the cost of a short statement. Texts beyond the
 * limit stay unnamed, because connections keep their prepared statements.
 */
export function nameStatements(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    // An empty name means unnamed.
    if (names.size >= MAX_NAMES || JOINS_LIST.test(sql)) return '';
    const name = `s${names.size + 1}`;
    names.set(sql, name);
    return name;
  };
}
