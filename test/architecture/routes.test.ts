import { globSync, readdirSync, readFileSync } from 'node:fs';
import { CHECKS, MIDDLEWARE } from '../../apps/api/src/http/order-of-checks.js';
import { routesOf } from '../../apps/api/src/http/routes-of.js';
import { CONTROLLERS } from '../../apps/api/src/server/api.module.js';

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

  it('need a scope when they need a token, but for the one that describes the token', () => {
    const withoutScope = CONTROLLERS.flatMap(routesOf)
      .filter(({ auth, scopes }) => auth === 'bearer' && scopes === null)
      .map(({ method, path }) => `${method} ${path}`);
    expect(withoutScope).toEqual(['GET /auth/introspect']);
  });
});

it('The order of the checks of a request in docs/architecture.md is that of the code', () => {
  const page = readFileSync('docs/architecture.md', 'utf8');
  const rows = Object.entries(CHECKS).map(([name, checks]) => `| ${name} | ${checks.join(', ')} |`);
  expect([MIDDLEWARE.join(', '), ...rows].filter((text) => !page.includes(text))).toEqual([]);
});

/** CONTRIBUTING, "A new call": besides its controller and its documentation. */
const LISTS_OF_CALLS = [
  'apps/console-server/src/forwarding/allowed-calls.ts',
  'clients/node/src/resources',
  'clients/python/src/tributary/resources',
  'test/e2e/documentation/support/example-walk.ts',
  'test/e2e/restricted-keys/support/restricted-calls.ts',
];

it('A call is named by hand in seven places: its controller, its documentation, four lists that tests complete, and the calls that the console forwards', () => {
  const calls = CONTROLLERS.flatMap(routesOf)
    .filter(({ auth }) => auth === 'bearer')
    .map(({ path, docs: { id } }) => {
      const named = `${path.replaceAll(/:\w+/g, `[^/\\s'"\`?]+`)}['"\`?\\s]|'${id}'`;
      return new RegExp(`[\\s'"\`]${named}`.replaceAll('.', String.raw`\.`));
    });
  const texts = new Map<string, string>();
  for (const file of globSync('{apps,clients,test,tools}/**/*.{ts,tsx,mjs,mts,py}')) {
    if (/node_modules|\/dist\/|generated|\.gen\./.test(file)) continue;
    const place = file.replace(/(\/resources)\/.*$/, '$1');
    texts.set(place, `${texts.get(place) ?? ''}\n${readFileSync(file, 'utf8')}`);
  }
  const lists = [...texts].filter(
    ([, text]) => calls.filter((call) => call.test(text)).length > 0.4 * calls.length,
  );
  expect(lists.map(([place]) => place).sort()).toEqual(LISTS_OF_CALLS);
});
