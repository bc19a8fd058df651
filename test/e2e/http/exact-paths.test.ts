import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { PLAID_PATHS } from '../../../apps/api/src/plaid/plaid-paths.js';
import { isPublicPlaidPath } from '../../../apps/api/src/plaid/transport/public-paths.js';
import { routesOf } from '../../../apps/api/src/http/routes-of.js';
import { CONTROLLERS } from '../../../apps/api/src/server/api.module.js';
import {
  otherSpelling,
  respell,
  RESPELLINGS,
  sendExactly,
} from '../../support/actors/other-spellings.js';
import { startApiInProcess, type ApiInProcess } from '../../support/services/api-in-process.js';

const ROUTES = [
  ...CONTROLLERS.flatMap(routesOf).map(({ method, path }) => ({ method, path })),
  ...['/connect/start', '/connect/continue', '/connect/hosted'].map(get),
  ...['/connect/assets/index-Ab_1.js', '/connect/plaid/link-initialize.js'].map(get),
];
const POSTS_OF_PLAID = [...PLAID_PATHS].map((path) => ({ method: 'POST', path }));

/** plaid-compat 1.1: the parts of `/sandbox/` whose unknown paths are Plaid's. */
const OF_PLAID = /^\/sandbox\/(public_token|item|transactions)\//;

function get(path: string) {
  return { method: 'GET', path };
}

let folder: string;
let service: ApiInProcess;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tributary-connect-'));
  for (const name of ['assets', 'plaid']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'assets', 'index-Ab_1.js'), 'export {};');
  writeFileSync(join(folder, 'plaid', 'link-initialize.js'), 'export {};');
  service = await startApiInProcess({}, { connectFolder: folder });
});
afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

const PATTERNS = ROUTES.map(
  ({ path }) => new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`),
);
/** `/links/Import` is the link with the id `Import`. */
const isAnotherRoute = (path: string) =>
  PATTERNS.some((pattern) => pattern.test(path)) || isPublicPlaidPath(path);

const send = (method: string, path: string) => sendExactly(service.api.baseUrl, { method, path });

it('Every route has one spelling: any other spelling of its literal parts is an unknown path, 404 in the form of its API', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc
        .constantFrom(...ROUTES, ...POSTS_OF_PLAID)
        .chain(({ method, path }) =>
          fc.record({ method: fc.constant(method), path: otherSpelling(path) }),
        ),
      async ({ method, path }) => {
        // plaid-compat 1.1 collapses doubled slashes.
        const collapsed = path.replaceAll(/\/{2,}/g, '/');
        fc.pre(!isAnotherRoute(path) && !(method === 'POST' && isPublicPlaidPath(collapsed)));
        const { status, body } = await send(method, path);
        expect({ path, status, code: codeOf(body) }).toEqual({
          path,
          status: 404,
          code: OF_PLAID.test(collapsed) ? 'NOT_FOUND' : 'api_error.request.not_found',
        });
      },
    ),
    { numRuns: 1_000 },
  );
});

it.each(['/health/live', '/health/ready', '/openapi.json', '/docs', '/.well-known/jwks.json'])(
  'No other spelling of %s leads to it',
  async (path) => {
    expect((await send('GET', path)).status).not.toBe(404);
    for (const how of RESPELLINGS)
      for (const segment of [0, 1]) {
        const spelled = respell(path, how, { segment, letter: 2 });
        expect({ spelled, status: (await send('GET', spelled)).status }).toEqual({
          spelled,
          status: 404,
        });
      }
  },
);

it('Calls of the Plaid-compatible layer work with doubled slashes, and with no other spelling', async () => {
  expect((await send('POST', '//item//get')).body).toContain('INVALID_REQUEST');
  for (const path of ['/Item/get', '/item/GET', '/item/get/', '/item/./get', '/item/%67et'])
    expect({ path, code: codeOf((await send('POST', path)).body) }).toEqual({
      path,
      code: 'api_error.request.not_found',
    });
  const ofPlaidClient = await sendExactly(service.api.baseUrl, {
    method: 'POST',
    path: '/Item/get',
    headers: { 'plaid-client-id': 'client' },
  });
  expect({ status: ofPlaidClient.status, code: codeOf(ofPlaidClient.body) }).toEqual({
    status: 404,
    code: 'NOT_FOUND',
  });
});

function codeOf(body: string): unknown {
  return (JSON.parse(body) as { error_code?: unknown }).error_code;
}
