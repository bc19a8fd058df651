import { readFileSync } from 'node:fs';
import { DERIVED_CREDENTIALS, NOT_CREDENTIALS } from './support/credential-roots.js';

/** The fields of the schema, as `Model.field`. */
function fieldsOfSchema(): string[] {
  let model = '';
  return readFileSync('prisma/schema.prisma', 'utf8')
    .split('\n')
    .flatMap((line) => {
      model = /^model (\w+)/.exec(line)?.[1] ?? model;
      const field = /^ {2}(\w+) /.exec(line)?.[1];
      return field === undefined ? [] : [`${model}.${field}`];
    });
}

const fields = fieldsOfSchema();
const columns = DERIVED_CREDENTIALS.map(({ column }) => column);

describe('The table of derived credentials', () => {
  it('names every hash of the schema, and no column that does not exist', () => {
    const hashes = fields.filter((field) => field.endsWith('Hash'));
    expect(hashes.length).toBeGreaterThan(10);
    const named = [...columns, ...NOT_CREDENTIALS];
    expect(hashes.filter((field) => !named.includes(field))).toEqual([]);
    expect(named.filter((column) => !fields.includes(column))).toEqual([]);
  });

  it.each(DERIVED_CREDENTIALS.map((credential) => [credential.column, credential] as const))(
    'names tests that end the roots of %s',
    (_, { provenBy }) => {
      expect(provenBy.length).toBeGreaterThan(0);
      for (const [file, title] of provenBy)
        expect({ file, hasTest: readFileSync(file, 'utf8').includes(`it('${title}'`) }).toEqual({
          file,
          hasTest: true,
        });
    },
  );
});
