// cspell:ignore ealth
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { routesOf } from '../../../apps/api/src/http/routes-of.js';
import { CONTROLLERS } from '../../../apps/api/src/server/api.module.js';
import { ApiError } from '../../../domain/errors/api-errors.js';
import { respell, RESPELLINGS } from '../../support/actors/other-spellings.js';
import { eventually } from '../../support/assertions/eventually.js';
import {
  type Answer,
  backends,
  call,
  ingresses,
  isThere,
  placeBehindProxy,
  read,
  startBackend,
  startCaddy,
  startHaproxy,
  startIngress,
  startNginx,
  UNKNOWN_PATH,
  useBackends,
} from './support/proxies.js';

useBackends();

/** By then both would have failed if they had to respond within a second. */
const TWO_SLOW_PROBES_MS = 8_000;

/** Other spellings that a server or proxy may resolve to the same path. */
const HIDDEN = [
  ...['/health', '/health/', '/metrics', '/metrics/', '/health/ready?x=1', '/metrics?x=1'],
  ...['/health/live', '/health/ready', '/metrics'].flatMap((path) => [
    path,
    ...RESPELLINGS.flatMap((how) =>
      [0, 1, 2, 3].map((at) => respell(path, how, { segment: at, letter: at })),
    ),
  ]),
  ...[
    '/HEALTH/READY',
    '/%68%65%61%6C%74%68/ready',
    '/%48ealth/ready',
    '/health%2fready',
    '/health%2Fready',
  ],
  ...[
    '/%2e/health/ready',
    '/x/%2e%2e/health/ready',
    '/x/y/../../health/ready',
    '/..;/health/ready',
  ],
  ...[
    '///health/ready',
    '/%2fhealth/ready',
    '/health;/ready',
    '/health%3bx/ready',
    '/metrics;',
    '/./METRICS',
  ],
  ...['http://tributary.example.com/health/ready', '/health/ready#x', '/health#/../metrics'],
];
/** Names of the app itself, which only look similar. */
const SHOWN = [
  ...['/links', '/healthy', '/metrics-of-mine', '/users/health/accounts', '/users/metrics'],
  ...['/users/a%2Fhealth/links', '//item/get', '/connect/start', '/users/a..b/accounts'],
];

async function expectHidden(): Promise<void> {
  for (const path of ['/health', '/health/live', '/health/ready', '/metrics'])
    expect({ path, ...(await call(path)) }).toMatchObject({ path, status: 404 });
  for (const path of HIDDEN) await call(path);
  expect(backends.flatMap(({ exposed }) => exposed)).toEqual([]);
  for (const path of SHOWN)
    expect({ path, status: (await call(path)).status }).toEqual({ path, status: 200 });
}

const canCertify = isThere('openssl', 'version');
for (const [program, startProxy, args] of [
  ['haproxy', startHaproxy, ['-v']],
  ['nginx', () => startNginx(), ['-v']],
] as const) {
  const isPresent = canCertify && isThere(program, ...args);
  (isPresent ? describe : describe.skip)(`deploy/proxy for ${program} (needs ${program})`, () => {
    it("forwards the address of the caller, and ignores the caller's claims about it", async () => {
      await startProxy();
      const forged = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'http' };
      const { backend } = await call('/links', { headers: forged });
      const seen = backends.find((each) => String(each.port) === backend)?.seen.at(-1);
      expect(seen).toMatchObject({
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-proto': 'https',
      });
    });

    it('does not expose health and metrics of the processes in any spelling, and exposes everything else', async () => {
      await startProxy();
      await expectHidden();
    });

    it('continues without a refused request when one API has gone', async () => {
      const gone = await startBackend();
      const [, other] = backends;
      placeBehindProxy(gone, other);
      await startProxy();
      gone.server.close();
      gone.server.closeAllConnections();
      const answers: Answer[] = [];
      for (let count = 0; count < 20; count += 1) answers.push(await call('/links'));
      expect(answers).toEqual(answers.map(() => ({ status: 200, backend: String(other.port) })));
    });
  });
}

(canCertify && isThere('haproxy', '-v') ? describe : describe.skip)(
  'HAProxy (needs haproxy)',
  () => {
    beforeEach(async () => {
      placeBehindProxy(await startBackend(), await startBackend());
      await startHaproxy();
    });

    it.each([0, 500])(
      'takes an API out of service within its STOP_DELAY of 5 s when its readiness takes %d ms',
      async (delayMs) => {
        const [leaving] = backends;
        leaving.delayMs = delayMs;
        const serving = async () =>
          new Set(await Promise.all([1, 2, 3, 4].map(async () => (await call('/links')).backend)));
        const timeToLeave = async () => {
          leaving.isReady = true;
          await eventually(async () => expect(await serving()).toContain(String(leaving.port)));
          leaving.isReady = false;
          const since = Date.now();
          await eventually(async () => expect(await serving()).not.toContain(String(leaving.port)));
          return Date.now() - since;
        };
        let fastest = await timeToLeave();
        // A busy computer may be slow at times.
        for (let times = 1; times < 5 && fastest >= 5_000; times += 1)
          fastest = Math.min(fastest, await timeToLeave());
        expect(fastest).toBeLessThan(5_000);
      },
    );

    it('keeps APIs in service whose readiness takes two seconds', async () => {
      for (const backend of backends) backend.delayMs = 2_000;
      await pause(TWO_SLOW_PROBES_MS);
      // A busy computer may exceed the spare second. The next probe succeeds.
      await eventually(async () => expect((await call('/links')).status).toBe(200));
    });

    it('returns the error of the contract while no API is in service', async () => {
      for (const backend of backends) backend.isReady = false;
      await eventually(async () => expect((await call('/links')).status).toBe(503));
      const { status, headers, body } = await read('/links');
      expect({ status, headers, body: JSON.parse(body) as unknown }).toEqual({
        status: 503,
        headers: expect.objectContaining({
          'content-type': 'application/json',
          'retry-after': '2',
          'cache-control': 'no-store',
        }),
        body: new ApiError('api_error.unavailable').body(null),
      });
    });
  },
);

(canCertify && isThere('nginx', '-v') ? it : it.skip)(
  'The ingress does not expose health and metrics of the processes in any spelling, and exposes everything else (needs nginx)',
  async () => {
    placeBehindProxy(await startBackend(), await startBackend());
    await startIngress();
    await expectHidden();
  },
);

it('The ingress leads from health and metrics to a path that the API does not have', () => {
  const targets = ingresses().flatMap(({ metadata: { annotations } }) =>
    Object.entries(annotations).filter(([name]) => name.endsWith('/rewrite-target')),
  );
  expect(targets.map(([, target]) => target)).toEqual([UNKNOWN_PATH]);
  const paths = CONTROLLERS.flatMap(routesOf).map(({ path }) => path);
  expect(paths.filter((path) => path.startsWith(UNKNOWN_PATH) || path.startsWith('/:'))).toEqual(
    [],
  );
});

(canCertify && isThere('caddy', 'version') ? it : it.skip)(
  'Caddy does not expose health and metrics of the processes in any spelling, and exposes everything else (needs caddy)',
  async () => {
    placeBehindProxy(await startBackend(), await startBackend());
    await startCaddy();
    await expectHidden();
  },
);

const CADDY_FILES = ['deploy/proxy/Caddyfile', 'deploy/compose/Caddyfile'];

(isThere('caddy', 'version') ? it.each : it.skip.each)(CADDY_FILES)(
  '%s is valid (needs caddy)',
  (path) => {
    execFileSync('caddy', ['validate', '--adapter', 'caddyfile', '--config', path], {
      stdio: 'pipe',
      env: { ...process.env, DOMAIN: 'bank.example.com' },
    });
  },
);

it('No proxy searches paths for an expression that repeats anything, which texts of strangers could make slow', () => {
  for (const path of ['deploy/proxy/nginx.conf', 'deploy/proxy/haproxy.cfg', ...CADDY_FILES])
    expect(readFileSync(path, 'utf8')).not.toMatch(/regexp|\breg\b|_reg\b|location\s+~/);
  const paths = ingresses().flatMap(({ spec }) => spec.rules.flatMap(({ http }) => http.paths));
  expect(paths.filter(({ path }) => /[*+{?]/.test(path))).toEqual([]);
});

it('The Caddyfile of one server has the logs and limits of that of several, and hides the same paths', () => {
  const [shared] = CADDY_FILES.map((path) => readFileSync(path, 'utf8')).map((text) =>
    [
      ...[/^\{\n[^]*?\n\}$/m, /^\tlog$/m, /^\trequest_body \{[^]*?\n\t\}$/m],
      ...[/^\t@long .+\n\trespond @long 414$/m, /^\t@hidden .+\n\trespond @hidden 404$/m],
    ].map((rule) => rule.exec(text)?.[0]),
  );
  expect(shared).not.toContain(undefined);
  for (const path of CADDY_FILES)
    for (const rule of shared ?? []) expect(readFileSync(path, 'utf8')).toContain(rule);
});
