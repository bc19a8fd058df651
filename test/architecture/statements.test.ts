import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const files = readdirSync(join(ROOT, 'prisma'), { recursive: true, encoding: 'utf8' })
  .filter((file) => !/^(migrations|generated)\//.test(file))
  .map((file) => `prisma/${file}`);
const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('/load-sql.ts'));
const statements = files.filter((file) => file.endsWith('.sql'));
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

describe('Named SQL statements', () => {
  it('are loaded only by code in their own folder', () => {
    const strays = sources.flatMap((file) =>
      [...textOf(file).matchAll(/\bloadSql\(\s*'([^']+)'/g)].flatMap(([, name = '']) =>
        statements.includes(`${dirname(file)}/${name}.sql`) ? [] : [`${file} loads ${name}`],
      ),
    );
    expect(strays).toEqual([]);
  });

  it('are each used by code or by another statement in their own folder', () => {
    const unused = statements.filter((statement) => {
      const name = basename(statement, '.sql');
      const isUsedIn = (file: string) =>
        file.endsWith('.sql')
          ? new RegExp(`^\\s*-- include ${name}$`, 'm').test(textOf(file))
          : textOf(file).includes(`'${name}'`);
      return ![...sources, ...statements].some(
        (file) => dirname(file) === dirname(statement) && file !== statement && isUsedIn(file),
      );
    });
    expect(unused).toEqual([]);
  });
});
