import { randomBytes, randomUUID } from 'node:crypto';
import { Connection } from '@temporalio/client';
import { startApi, type RunningApi } from '../../../apps/api/src/server/start-api.js';
import { readSettings } from '../../../apps/platform/src/config/settings.js';
import type { HealthReport } from '../../../apps/platform/src/process/health-check.js';
import { createLogger } from '../../../apps/platform/src/logging/logger.js';
import { runCommand, type EndedCommand } from '../../support/actors/operator.js';
import { eventually } from '../../support/assertions/eventually.js';
import {
  createTestDatabase,
  testTemporalAddress,
  type TestDatabase,
} from '../../support/services/embedded-services.js';
import { openTcpGate, type TcpGate } from '../../support/services/tcp-gate.js';
import { installRuntime } from '../../support/services/test-temporal.js';
import { linesOf, startWorkerInProcess } from './compiled-worker.js';
import { queryAt } from '../../support/services/postgres.mjs';

const makeKey = () => randomBytes(32).toString('base64');

export interface Readiness {
  status: number;
  body: HealthReport;
}

/** An API and a worker that start before all of their dependencies. */
export class FaultyService {
  readonly namespace = `faulty-${randomUUID()}`;
  readonly keys = { k1: `k1:${makeKey()}`, other: `k1:${makeKey()}`, old: `old:${makeKey()}` };
  private readonly logs = { api: () => '', worker: () => '' };
  private readonly stops: (() => Promise<unknown>)[] = [];
  private runningApi: RunningApi | undefined;

  private constructor(
    private readonly database: TestDatabase,
    readonly postgres: TcpGate,
    readonly temporal: TcpGate,
    /** Connected directly, not through the gate. */
    readonly connection: Connection,
  ) {}

  static async open(): Promise<FaultyService> {
    installRuntime();
    const database = await createTestDatabase();
    const { hostname, port } = new URL(database.url);
    const [host = '', temporalPort] = testTemporalAddress().split(':');
    return new FaultyService(
      database,
      await openTcpGate({ host: hostname, port: Number(port) }),
      await openTcpGate({ host, port: Number(temporalPort) }),
      await Connection.connect({ address: testTemporalAddress() }),
    );
  }

  async start(): Promise<void> {
    const env = this.environment({ masterKeys: this.keys.k1, gated: true });
    const worker = await startWorkerInProcess(
      { ...env, SANDBOX_BANK_URL: 'http://127.0.0.1:1', SANDBOX_BANK_SECRET: makeKey() },
      [],
    );
    this.logs.worker = worker.log;
    this.stops.push(worker.stop);
    let log = '';
    this.logs.api = () => log;
    const api = await startApi({
      settings: { ...readSettings(env, 'api'), apiPort: 0, metricsPort: 0 },
      logger: createLogger({
        name: 'api',
        level: 'info',
        format: 'json',
        destination: { write: (line: string) => (log += line) },
      }),
    });
    this.runningApi = api;
    this.stops.push(() => api.close());
  }

  async close(): Promise<void> {
    this.postgres.set('open');
    this.temporal.set('open');
    for (const stop of this.stops.reverse()) await stop();
    await this.connection.close();
    await this.postgres.close();
    await this.temporal.close();
    await this.database.drop();
  }

  get apiUrl(): string {
    return this.runningApi?.url ?? '';
  }

  async apiReadiness(): Promise<Readiness> {
    return readinessOf(this.apiUrl);
  }

  async workerReadiness(): Promise<Readiness> {
    const { port } = await eventually(() => {
      const [started] = this.lines('worker', 'worker.started');
      if (started === undefined) throw new Error('the worker has not started');
      return started;
    });
    return readinessOf(`http://127.0.0.1:${String(port)}`);
  }

  /** Complete lines with this message. */
  lines(process: 'api' | 'worker', message: string): Record<string, unknown>[] {
    return linesOf(this.logs[process](), message);
  }

  /** Runs an operator command, with its own connection to both servers. */
  operate(args: readonly string[], masterKeys = this.keys.k1): Promise<EndedCommand> {
    return runCommand(args, this.environment({ masterKeys, gated: false }));
  }

  async query(statement: string): Promise<void> {
    await queryAt(this.database.url, statement);
  }

  private environment({ masterKeys, gated }: { masterKeys: string; gated: boolean }) {
    const url = new URL(this.database.url);
    if (gated) {
      url.hostname = '127.0.0.1';
      url.port = String(this.postgres.port);
    }
    return {
      DATABASE_URL: url.href,
      TEMPORAL_ADDRESS: gated ? `127.0.0.1:${this.temporal.port}` : testTemporalAddress(),
      TEMPORAL_NAMESPACE: this.namespace,
      MASTER_KEYS: masterKeys,
    };
  }
}

async function readinessOf(url: string): Promise<Readiness> {
  const response = await fetch(`${url}/health/ready`);
  return { status: response.status, body: (await response.json()) as HealthReport };
}
