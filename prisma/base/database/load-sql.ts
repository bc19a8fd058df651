import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

const PRISMA = new URL('../../', import.meta.url);

/**
 * The file of each statement, by name. Names are unique, because they also name prepared
 * statements.
 */
let files: ReadonlyMap<string, URL> | undefined;
const texts = new Map<string, string>();

/**
 * Returns the text of a statement, read once per process; `-- include NAME` inserts another
 * statement.
 *
 * @param name `sync-page` for `prisma/links/transactions/sync-page.sql`
 * @throws Error when there is no such statement
 */
export function loadSql(name: string): string {
  let text = texts.get(name);
  if (text === undefined) {
    files ??= findStatements();
    const file = files.get(name);
    if (file === undefined) throw new Error(`There is no statement called ${name}.`);
    text = readFileSync(file, 'utf8').replaceAll(/^[ \t]*-- include (\S+)$/gm, (_, part: string) =>
      loadSql(part),
    );
    texts.set(name, text);
  }
  return text;
}

/** Each file is next to the code that binds it. */
function findStatements(): Map<string, URL> {
  const found = new Map<string, URL>();
  for (const file of readdirSync(PRISMA, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.sql') || file.startsWith('migrations/')) continue;
    const name = basename(file, '.sql');
    if (found.has(name)) throw new Error(`Two statements are called ${name}.`);
    found.set(name, new URL(file, PRISMA));
  }
  return found;
}
