import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { StandaloneDescription } from '../../../apps/standalone/src/service/description.js';
import { until } from '../../../apps/standalone/src/until.js';
import {
  isRunning,
  makeDataDir,
  removeStandalones,
  startStandalone,
  type StandaloneProcess,
} from './support/standalone-process.js';
import { representatives } from '../../support/runner/representatives.js';

const PARTS = ['api', 'worker', 'webhooks', 'sandbox_bank', 'temporal', 'postgres'] as const;
const SHELL_CANARY = 'secret-of-another-program';
const folder = makeDataDir();
let standalone: StandaloneProcess;
let first: StandaloneDescription;

beforeAll(async () => {
  chmodSync(folder, 0o711);
  standalone = startStandalone({ dataDir: folder, env: { VARIABLE_OF_THE_SHELL: SHELL_CANARY } });
  first = await standalone.ready();
});
afterAll(() => removeStandalones([folder]));

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

describe('npm start', () => {
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
        ['supervisor', ...PARTS].map((part) => [part, expect.any(Number)]),
      ),
    });
    expect(new Set(Object.values(first.processes)).size).toBe(7);
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
      expect(standalone.output()).not.toContain(secret);
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
      `The data folder ${folder} is in use by another instance (process ${standalone.child.pid}). Stop it, or choose another folder`,
    );
    expect(await allReady(standalone.description())).toBe(true);
  });

  // The parts that start fast stand for the others: one supervisor restarts all in the same way.
  const restarted = representatives(PARTS, (part) => ['sandbox_bank', 'postgres'].includes(part));
  it.each(restarted)('restarts %s when it is killed, on the same addresses', async (part) => {
    const before = standalone.description();
    const killed = before.processes[part] ?? 0;
    process.kill(killed, 'SIGKILL');
    expect(
      await until(async () => standalone.description().processes[part] !== killed, {
        within: 120_000,
      }),
    ).toBe(true);
    expect(await until(() => allReady(standalone.description()), { within: 120_000 })).toBe(true);
    const { processes, ...addresses } = standalone.description();
    expect({ ...addresses, processes: { ...processes, [part]: killed } }).toEqual(before);
    expect(await until(async () => (await accessToken(before)) === 201, { within: 120_000 })).toBe(
      true,
    );
    expect(standalone.output()).toContain('standalone.part_ended');
  });

  it('stops on Ctrl-C, and leaves neither a process nor a file of one', async () => {
    const { processes } = standalone.description();
    const started = Date.now();
    // Ctrl-C in a terminal reaches it twice: once directly, once by npm.
    standalone.child.kill('SIGINT');
    await standalone.signal('SIGINT');
    // 15 s on an otherwise idle machine. Here other tests use the same processors.
    expect(Date.now() - started).toBeLessThan(45_000);
    expect(standalone.child.exitCode).toBe(0);
    for (const pid of Object.values(processes)) expect(isRunning(pid)).toBe(false);
    for (const name of [
      'standalone.json',
      'sandbox.env',
      'live.env',
      'supervisor.lock',
      'processes.json',
    ])
      expect(existsSync(join(folder, name))).toBe(false);
  });
});
