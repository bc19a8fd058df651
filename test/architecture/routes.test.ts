import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = 'apps/api/src';
/** A version lists the calls that its changes affected, which stay when the code changes later. */
const HISTORY = 'http/api-versions.ts';

describe('The routes of the API', () => {
  it('are named by method and path only in their @Route', () => {
    const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && file !== HISTORY,
    );
    const named = files.flatMap((file) =>
      [
        ...readFileSync(`${FOLDER}/${file}`, 'utf8').matchAll(
          /(?<!@(?:Simplefin)?Route\(\s*)'(GET|POST|PUT|PATCH|DELETE) \/[^']*'/g,
        ),
      ].map(([name]) => `${file}: ${name}`),
    );
    expect(named).toEqual([]);
  });
});
