import {
  createTestDatabase,
  takeNamespace,
  testTemporalAddress,
} from '../../../support/services/embedded-services.js';
import { AppBackEnd } from '../../../support/actors/link-journey.js';
import { linkInstantBank } from '../../../support/actors/link-instant-bank.js';
import { StoredTruth } from '../../../support/assertions/stored-truth.js';
import { WebhookReceiver } from '../../../support/receivers/webhook-receiver.js';
import {
  addSimulatedProviders,
  type SimulatedProviders,
} from '../../../support/services/live-simulators.js';
import { gateToBank } from '../../../support/services/gated-bank.js';
import { Standalone, type ProcessName } from '../../../support/services/standalone.js';
import { openTcpGate, type TcpGate } from '../../../support/services/tcp-gate.js';

/** Limits that would slow the causes down are off, and minutes become seconds. */
const SETTINGS = {
  RATE_LIMIT_API: 'off',
  RATE_LIMIT_ANONYMOUS: 'off',
  RATE_LIMIT_TOKEN: 'off',
  RATE_LIMIT_CONNECT: 'off',
  RATE_LIMIT_SANDBOX_BANK: 'off',
  LINK_SESSION_TTL: '15s',
  OVERDUE_AFTER: '2s',
  REFRESH_LIMIT: '1s',
  REFRESH_INTERVAL: '20s',
  AGGREGATION_TICK: '1s',
  FETCH_RETRY_FOR_SANDBOX: '100ms',
  FAULTY_AFTER: '100',
  SWEEP_INTERVAL: '2s',
  WEBHOOK_ATTEMPTS_AT: `0s,${Array.from({ length: 100 }, (_, index) => `${1 + index * 3}s`).join(',')}`,
  WEBHOOK_RETRY_STARTS: '1',
  WORKER_DATABASE_CONNECTIONS: '5',
};

/**
 * A service whose database, Temporal and bank are behind gates, and the actions of an app with it.
 */
export interface WatchedService {
  service: Standalone;
  gates: Readonly<Record<'database' | 'temporal' | 'bank', TcpGate>>;
  app: AppBackEnd;
  receiver: WebhookReceiver;
  /** Reads and writes the database past its gate. */
  truth: StoredTruth;
  /** The address of the database past its gate. */
  databaseUrl: string;
  env: Readonly<Record<string, string>>;
  links: string[];
  /** Adds links whose webhooks go to the receiver. */
  link(count: number): Promise<void>;
  /** The vendors of real banks, from the first call on. */
  simulated(): Promise<SimulatedProviders>;
  /** Stops (`SIGSTOP`) or continues (`SIGCONT`) a process. */
  signal(name: ProcessName, signal: 'SIGSTOP' | 'SIGCONT'): void;
  dispose(): Promise<void>;
}

export async function startWatchedService(): Promise<WatchedService> {
  const database = await createTestDatabase();
  const { hostname, port } = new URL(database.url);
  const toDatabase = await openTcpGate({ host: hostname, port: Number(port) });
  const [host = '', temporalPort] = testTemporalAddress().split(':');
  const toTemporal = await openTcpGate({ host, port: Number(temporalPort) });
  const bank = await gateToBank();
  const gates = { database: toDatabase, temporal: toTemporal, bank: bank.gate };
  const gated = new URL(database.url);
  gated.host = `127.0.0.1:${toDatabase.port}`;
  const env = {
    ...SETTINGS,
    ...bank.env,
    DATABASE_URL: gated.href,
    TEMPORAL_ADDRESS: `127.0.0.1:${toTemporal.port}`,
    TEMPORAL_NAMESPACE: await takeNamespace(),
  };
  const service = await Standalone.start({ servers: 'own', env });
  const receiver = await WebhookReceiver.start();
  const app = new AppBackEnd(service.info.base_url, service.app.sandbox);
  const links: string[] = [];
  let simulated: Promise<SimulatedProviders> | undefined;
  return {
    service,
    gates,
    app,
    receiver,
    truth: new StoredTruth(() => database.url),
    databaseUrl: database.url,
    env,
    links,
    link: async (count) => {
      for (let made = 0; made < count; made += 1)
        links.push((await linkInstantBank(app, { webhook: receiver.url() })).linkId);
    },
    signal: (name, signal) => {
      const pid = service.info.processes[name];
      if (pid === null) throw new Error(`there is no ${name}`);
      process.kill(pid, signal);
    },
    simulated: () => (simulated ??= addSimulatedProviders(service)),
    dispose: async () => {
      for (const gate of Object.values(gates)) gate.set('open');
      await service.dispose();
      await receiver.stop();
      await (await simulated)?.close();
      for (const gate of Object.values(gates)) await gate.close();
      await database.drop();
    },
  };
}
