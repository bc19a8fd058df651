import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { declaredOn, routesOf } from '../../../apps/api/src/http/routes-of.js';
import { CONTROLLERS } from '../../../apps/api/src/server/api.module.js';
import { SIMPLEFIN_ROUTE } from '../../../apps/api/src/simplefin/simplefin-route-options.js';
import { SimplefinController } from '../../../apps/api/src/simplefin/simplefin.controller.js';
import { eventually } from '../../support/assertions/eventually.js';
import {
  backends,
  call,
  controllerSettings,
  folder,
  ingresses,
  output,
  placeBehindProxy,
  startBackend,
  useBackends,
} from './support/proxies.js';
import { SHIPPED_PROXIES } from './support/shipped-proxies.js';

useBackends();

const SECRET = 'canary';
/** Every path of the API with a text in place of its parameters, so that no new secret is forgotten, and one of the bank's pages. */
const PATHS = [
  ...[...CONTROLLERS, SimplefinController].flatMap((controller) => [
    ...routesOf(controller).map(({ path }) => path),
    ...declaredOn<{ path: string }>(controller, SIMPLEFIN_ROUTE).map(({ path }) => path),
  ]),
  '/:page',
].map((path) => `${path.replaceAll(/:\w+/g, SECRET)}?code=${SECRET}&state=${SECRET}`);
const HEADERS = {
  authorization: `Bearer ${SECRET}`,
  cookie: `session=${SECRET}`,
  referer: `https://tributary.example.com/?token=${SECRET}`,
  'user-agent': SECRET,
};

/** All that the proxy wrote anywhere. */
const written = (): string =>
  [
    output,
    ...readdirSync(folder)
      .filter((name) => name.endsWith('.log'))
      .map((name) => readFileSync(join(folder, name), 'utf8')),
  ].join('\n');

const linesWithSecret = (): string[] =>
  written()
    .split('\n')
    .filter((line) => line.includes(SECRET))
    .slice(0, 3);

/** @returns the status of each that is not hidden */
async function callEveryPath(method = 'GET'): Promise<number[]> {
  const answers = await Promise.all(PATHS.map((path) => call(path, { method, headers: HEADERS })));
  return answers.map(({ status }) => status).filter((status) => status !== 404);
}

it('Paths with keys of provider webhooks and claims of finance apps are among those that are tried', () => {
  for (const path of [`/provider-webhooks/${SECRET}/${SECRET}?`, `/simplefin/claim/${SECRET}?`])
    expect(PATHS.filter((tried) => tried.startsWith(path))).toHaveLength(1);
});

for (const { name, start, isPresent } of SHIPPED_PROXIES)
  (isPresent ? describe : describe.skip)(`${name} (needs its program and openssl)`, () => {
    beforeEach(async () => {
      placeBehindProxy(await startBackend(), await startBackend());
      await start();
    });

    it('writes no path, query or header of a request that an API responds to into a log', async () => {
      expect(new Set(await callEveryPath())).toEqual(new Set([200]));
      await call(`/${SECRET}`, { host: 'sandbox-bank.example.com', headers: HEADERS });
      const lines = name === 'The ingress' ? 0 : PATHS.length;
      await eventually(() => expect(written().split('\n').length).toBeGreaterThan(lines));
      expect(linesWithSecret()).toEqual([]);
    });

    it('writes none of a request that it refuses itself, or that no API responds to', async () => {
      const refused = [
        await call(`/${SECRET}/${'x'.repeat(5_000)}`),
        await call(`/${SECRET}`, { headers: { 'x-long': 'x'.repeat(40_000) } }),
        await call(`/health/${SECRET}`),
      ];
      expect(refused.every(({ status }) => status >= 400)).toBe(true);
      for (const backend of backends) backend.isBroken = true;
      expect(Math.min(...(await callEveryPath()))).toBeGreaterThanOrEqual(500);
      for (const { server } of backends) {
        server.close();
        server.closeAllConnections();
      }
      expect(Math.min(...(await callEveryPath('POST')))).toBeGreaterThanOrEqual(500);
      await call(`/${SECRET}`, { host: 'sandbox-bank.example.com', headers: HEADERS });
      await eventually(() => expect(written()).not.toBe(''));
      expect(linesWithSecret()).toEqual([]);
    });
  });

it('The ingress has no access log, and its controller no line of a request in its log of errors', () => {
  for (const { metadata } of ingresses())
    expect(metadata.annotations).toMatchObject({
      'nginx.ingress.kubernetes.io/enable-access-log': 'false',
    });
  expect(controllerSettings()['error-log-level']).toBe('emerg');
});
