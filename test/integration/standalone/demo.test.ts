import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StandaloneDescription } from '../../../apps/standalone/src/service/description.js';
import { until } from '../../../apps/standalone/src/until.js';
import { representatives } from '../../support/runner/representatives.js';
import { startDemo, type RunningDemo } from '../../support/services/run-demo.js';
import { isRunning, removeStandalones, startStandalone } from './support/standalone-process.js';

const PARTS = ['api', 'worker', 'webhooks', 'sandbox_bank', 'temporal', 'postgres'] as const;
const SHELL_CANARY = 'secret-of-another-program';
const temporary = mkdtempSync(join(tmpdir(), 'tributary-demo-test-'));
let demo: RunningDemo;
/** The data folder of its service. */
let folder: string;
let first: StandaloneDescription;
const current = () =>
  JSON.parse(readFileSync(join(folder, 'standalone.json'), 'utf8')) as StandaloneDescription;

beforeAll(async () => {
  demo = startDemo(temporary, { VARIABLE_OF_THE_SHELL: SHELL_CANARY });
  await demo.untilItSays('Everything stays up');
  [, folder = ''] = /^Tributary demo: .*, in (.+)$/m.exec(demo.output()) ?? [];
  first = current();
});
afterAll(async () => {
  await demo?.stop();
  await removeStandalones([temporary]);
});

async function accessToken(description: StandaloneDescription): Promise<number> {
  const [app] = description.apps;
  const response = await fetch(`${description.base_url}/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', ...app?.sandbox }),
  });
  return response.status;
}

interface StoredSecrets {
  master_keys: string;
  postgres_password: string;
  sandbox_bank?: { secret: string; database_role: string; database_password: string };
}

const readSecrets = (): StoredSecrets =>
  JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8')) as StoredSecrets;

const isReady = async (url: string): Promise<boolean> =>
  fetch(url).then(
    (response) => response.ok,
    () => false,
  );

async function allReady({
  base_url: api,
  worker_metrics_url: worker,
  webhooks_metrics_url: webhooks,
  sandbox_bank_url: bank,
}: StandaloneDescription): Promise<boolean> {
  const answers = await Promise.all([
    isReady(`${api}/health/ready`),
    isReady(worker.replace(/metrics$/, 'health/ready')),
    isReady(webhooks.replace(/metrics$/, 'health/ready')),
    isReady(`${bank}/health/ready`),
  ]);
  return answers.every(Boolean);
}

describe('npm run demo', () => {
  it('narrates one link from key pair to verified webhooks', () => {
    const output = demo.output();
    const calls = [...output.matchAll(/^ ?\d+ {2}.* {2,}((GET|POST) \S+|verified with .*)$/gm)].map(
      ([, call = '']) => call.replace(/mk_\w+/, '{id}'),
    );
    expect(calls).toEqual([
      'POST /auth/token',
      'POST /link-session',
      'POST /connect/api/session/open',
      'GET /connect/api/institutions?q=inst',
      'POST /connect/api/session/step',
      'POST /connect/api/session/finish',
      'POST /link-session/exchange-token',
      'GET /links/{id}',
      'GET …/accounts',
      'GET …/transactions?size=5',
      'GET …/transactions/sync?size=25',
      'verified with GET /.well-known/jwks.json',
    ]);
    expect(output).toMatch(/mk_\w{22} is connected/);
    expect(output).toContain('60 in the last 90 days');
    expect(output.match(/✓ /g)).toHaveLength(6);
    expect(output).not.toMatch(/_ls_|_xt_|\beyJ/);
  });
});

// `npm start` runs the same service: life.long.test.ts stops it.
describe('The service of npm run demo', () => {
  it('has payloads decoded for its own Temporal UI by the address that it passes to it, and for no one without the token in its file', async () => {
    const settings = (await (await fetch(`${first.temporal_ui_url}/api/v1/settings`)).json()) as {
      Codec: { Endpoint: string };
    };
    const { origin, pathname } = new URL(settings.Codec.Endpoint);
    const token = readFileSync(join(folder, 'codec-token'), 'utf8');
    expect(pathname).toBe(`/${token}`);
    expect(statSync(join(folder, 'codec-token')).mode & 0o777).toBe(0o600);
    const decode = async (address: string, headers: Record<string, string>) =>
      fetch(`${address}/decode`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: '{"payloads":[]}',
      }).then(({ status }) => status);
    const ui = { origin: first.temporal_ui_url ?? '' };
    expect({
      uiAtCodec: await decode(settings.Codec.Endpoint, ui),
      operatorAtApi: await decode(origin, { authorization: `Bearer ${token}` }),
      uiAtApi: await decode(origin, ui),
      anyoneAtApi: await decode(origin, {}),
    }).toEqual({ uiAtCodec: 200, operatorAtApi: 200, uiAtApi: 401, anyoneAtApi: 401 });
  });

  it('describes itself in standalone.json, readable only by its owner', () => {
    expect(statSync(join(folder, 'standalone.json')).mode & 0o777).toBe(0o600);
    const address = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+/);
    expect(first).toEqual({
      base_url: address,
      connect_base_url: expect.stringMatching(/\/connect$/),
      console_url: address,
      sandbox_bank_url: address,
      sandbox_bank_control_url: address,
      temporal_address: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      temporal_namespace: 'default',
      temporal_ui_url: address,
      database_url: expect.stringMatching(/^postgresql:\/\//),
      metrics_url: expect.stringMatching(/\/metrics$/),
      worker_metrics_url: expect.stringMatching(/\/metrics$/),
      webhooks_metrics_url: expect.stringMatching(/\/metrics$/),
      apps: [
        {
          app_id: 'demo',
          name: 'Demo app',
          sandbox: {
            client_id: expect.stringMatching(/^sandbox_[0-9a-f]{20}$/),
            client_secret: expect.any(String),
          },
          live: {
            client_id: expect.stringMatching(/^live_[0-9a-f]{20}$/),
            client_secret: expect.any(String),
          },
        },
      ],
      processes: Object.fromEntries(
        ['supervisor', 'console', ...PARTS].map((part) => [part, expect.any(Number)]),
      ),
    });
    expect(new Set(Object.values(first.processes)).size).toBe(8);
    for (const pid of Object.values(first.processes)) expect(isRunning(pid)).toBe(true);
  });

  it('serves the API and the Temporal UI: the keys of the demo app get an access token', async () => {
    expect(await accessToken(first)).toBe(201);
    expect(await isReady(first.temporal_ui_url ?? '')).toBe(true);
  });

  it('restricts every secret file to its owner and prints no secret', () => {
    for (const name of ['secrets.json', 'processes.json', 'supervisor.lock'])
      expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
    const {
      master_keys: masterKeys,
      postgres_password: password,
      sandbox_bank: bank,
    } = readSecrets();
    for (const secret of [masterKeys, password, bank?.secret, bank?.database_password])
      expect(demo.output()).not.toContain(secret);
  });

  (!existsSync('/proc/self/environ') ? it.skip : it).each(PARTS)(
    'passes %s only the environment that it needs',
    (part) => {
      const environment = readFileSync(`/proc/${first.processes[part]}/environ`, 'utf8');
      expect(environment).toContain('PATH=');
      expect(environment).not.toContain(SHELL_CANARY);
      if (!['api', 'worker', 'webhooks'].includes(part))
        expect(environment).not.toContain('MASTER_KEYS');
    },
  );

  it('refuses a second instance on the same data folder without affecting the first', async () => {
    const second = startStandalone({ dataDir: folder });
    const { code, output } = await second.ended();
    expect(code).toBe(1);
    expect(output).toContain(
      `The data folder ${folder} is in use by another instance (process ${demo.pid}). Stop it, or choose another folder`,
    );
    expect(await allReady(current())).toBe(true);
  });

  // The parts that start fast stand for the others: one supervisor restarts all in the same way.
  const restarted = representatives(PARTS, (part) => ['sandbox_bank', 'postgres'].includes(part));
  it.each(restarted)('restarts %s when it is killed, on the same addresses', async (part) => {
    const before = current();
    const killed = before.processes[part] ?? 0;
    process.kill(killed, 'SIGKILL');
    expect(
      await until(async () => current().processes[part] !== killed, {
        within: 120_000,
      }),
    ).toBe(true);
    expect(await until(() => allReady(current()), { within: 120_000 })).toBe(true);
    const { processes, ...addresses } = current();
    expect({ ...addresses, processes: { ...processes, [part]: killed } }).toEqual(before);
    expect(await until(async () => (await accessToken(before)) === 201, { within: 120_000 })).toBe(
      true,
    );
    expect(demo.output()).toContain('standalone.part_ended');
  });

  it('stops on Ctrl-C, and leaves neither a process nor a file', async () => {
    const { processes } = current();
    expect(await demo.stop()).toBe(0);
    for (const pid of Object.values(processes)) expect(isRunning(pid)).toBe(false);
    expect(readdirSync(temporary).filter((name) => name.startsWith('tributary-demo-'))).toEqual([]);
  });
});
