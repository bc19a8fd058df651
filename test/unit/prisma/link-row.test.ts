import { Prisma } from '../../../prisma/generated/client.js';
import { loadSql } from '../../../prisma/base/database/load-sql.js';
import { nameStatements } from '../../../prisma/base/database/statement-names.js';

it.each(['lock-link', 'lock-link-by-id'] as const)(
  '%s returns every column of a link under the name that the generated client uses',
  (name) => {
    const [, columns = ''] = /SELECT ([\s\S]*?)\s+FROM links/.exec(loadSql(name)) ?? [];
    const named = columns
      .split(',')
      .map((column) => /AS "(\w+)"/.exec(column)?.[1] ?? column.trim());
    expect(named.sort()).toEqual(Object.keys(Prisma.LinkScalarFieldEnum).sort());
  },
);

it('A statement has one name, and the thousandth text has none', () => {
  const nameOf = nameStatements();
  const first = nameOf({ sql: 'SELECT 1' });
  for (let index = 2; index < 1_000; index += 1) nameOf({ sql: `SELECT ${index}` });
  expect(first).not.toBe(nameOf({ sql: 'SELECT 2' }));
  expect(nameOf({ sql: 'SELECT 1' })).toBe(first);
  expect(nameOf({ sql: 'SELECT 1000' })).toBe('');
});
