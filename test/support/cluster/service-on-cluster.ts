import { join } from 'node:path';
import { readSettings } from '../../../apps/platform/src/config/settings.js';
import { readOrMakeSecrets } from '../../../apps/standalone/src/data-folder/stored-secrets.js';
import { freePort } from '../../../apps/standalone/src/ports.js';
import { ensureApps } from '../../../apps/standalone/src/service/ensure-apps.js';
import { databaseUrlOfBank } from '../../../apps/standalone/src/service/standalone-settings.js';
import { runProgram } from '../../../apps/standalone/src/supervision/run-program.js';
import { startLateBalancer, type LateBalancer } from '../services/late-balancer.js';
import type { KeyPair } from '../services/standalone.js';
import type { ClusterProcess } from './cluster-process.js';
import { serviceProcess, type RunningBuild } from './service-processes.js';

const DIST = join(process.cwd(), 'dist');
const MIGRATE_WITHIN_MS = 300_000;

/** Two APIs behind a balancer that notices changes late, two workers, a webhooks process and a sandbox bank. */
export interface ServiceOnCluster {
  apis: readonly ClusterProcess[];
  workers: readonly ClusterProcess[];
  webhooks: ClusterProcess;
  bank: ClusterProcess;
  /** All of these. */
  processes: readonly ClusterProcess[];
  balancer: LateBalancer;
  /** The key pair of an app in Sandbox. */
  pair: KeyPair;
  /** All settings. */
  env: Readonly<Record<string, string>>;
  /** The command that each process runs at its next start. */
  build: RunningBuild;
  stop(): Promise<void>;
}

export interface ServiceOnClusterOptions {
  folder: string;
  databaseUrl: string;
  /** Further settings, among them the connection to Temporal. */
  env: Readonly<Record<string, string>>;
  balancerLateMs?: number;
  /** The number of APIs and the number of workers. */
  copies?: number;
  /** Flags of Node for the workers. */
  workerFlags?: readonly string[];
}

export async function startServiceOnCluster({
  folder,
  databaseUrl,
  env: given,
  balancerLateMs = 0,
  copies = 2,
  workerFlags = [],
}: ServiceOnClusterOptions): Promise<ServiceOnCluster> {
  const next = portChooser();
  const numbers = Array.from({ length: copies }, (_, index) => index + 1);
  const apiPorts = await Promise.all(numbers.map(next));
  const balancer = await startLateBalancer(
    apiPorts.map((port) => `http://127.0.0.1:${port}`),
    balancerLateMs,
  );
  const secrets = readOrMakeSecrets(join(folder, 'secrets.json'));
  const [bankPort, controlPort] = [await next(), await next()];
  const env: Record<string, string> = {
    ...given,
    DATABASE_URL: databaseUrl,
    SANDBOX_BANK_DATABASE_URL: databaseUrlOfBank(databaseUrl, secrets),
    MASTER_KEYS: secrets.master_keys,
    SANDBOX_BANK_SECRET: secrets.sandbox_bank.secret,
    SANDBOX_BANK_PORT: String(bankPort),
    SANDBOX_BANK_CONTROL_PORT: String(controlPort),
    SANDBOX_BANK_URL: `http://127.0.0.1:${controlPort}`,
    BASE_URL: balancer.url,
    WEBHOOK_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8',
    RATE_LIMIT_API: 'off',
    RATE_LIMIT_CONNECT: 'off',
    RATE_LIMIT_TOKEN: 'off',
    LOG_FORMAT: 'json',
  };
  await migrate(env);
  const [app] = secrets.apps;
  if (app === undefined) throw new Error('there is no app');
  await ensureApps([app], { databaseUrl, masterKeys: readSettings(env, 'operator').masterKeys });

  const build: RunningBuild = { dist: DIST, env: {} };
  const common = { build, folder };
  const operatorPort = async (setting: string) => ({ [setting]: String(await next()) });
  const bank = serviceProcess({ ...common, name: 'sandbox-bank', env, port: bankPort });
  const apis: ClusterProcess[] = [];
  const workers: ClusterProcess[] = [];
  for (const number of numbers) {
    const port = apiPorts[number - 1] ?? 0;
    const apiEnv = { ...env, API_PORT: String(port), ...(await operatorPort('METRICS_PORT')) };
    apis.push(serviceProcess({ ...common, name: 'api', number, env: apiEnv, port }));
    const own = await operatorPort('WORKER_METRICS_PORT');
    const workerPort = Number(own['WORKER_METRICS_PORT']);
    const ofWorker = { name: 'worker', flags: workerFlags, env: { ...env, ...own } } as const;
    workers.push(serviceProcess({ ...common, ...ofWorker, number, port: workerPort }));
  }
  const own = await operatorPort('WEBHOOKS_METRICS_PORT');
  const webhooks = serviceProcess({
    ...common,
    name: 'webhooks',
    env: { ...env, ...own },
    port: Number(own['WEBHOOKS_METRICS_PORT']),
  });
  const all = [bank, ...workers, ...apis, webhooks];
  await Promise.all(all.map((each) => each.start()));
  return {
    ...{ apis, workers, webhooks, bank, balancer, env, build },
    processes: all,
    pair: app.sandbox,
    stop: async () => {
      await Promise.all(all.map((each) => each.stop('SIGINT')));
      await balancer.close();
    },
  };
}

export async function migrate(env: Readonly<Record<string, string>>, dist = DIST): Promise<void> {
  const { ok, output } = await runProgram(
    process.execPath,
    [join(dist, 'prisma/base/migrate/main.js')],
    { within: MIGRATE_WITHIN_MS, env: { PATH: process.env['PATH'], ...env } },
  );
  if (!ok) throw new Error(output);
}

/** One port after another, none of them twice. */
function portChooser(): () => Promise<number> {
  const taken: number[] = [];
  let last: Promise<number> = Promise.resolve(0);
  return () =>
    (last = last.then(async () => {
      const port = await freePort('127.0.0.1', taken);
      taken.push(port);
      return port;
    }));
}
