import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WithStartWorkflowOperation } from '@temporalio/client';
import { createLogger } from '../../apps/platform/src/logging/logger.js';
import {
  openTemporalClient,
  type TemporalClient,
} from '../../apps/platform/src/temporal/temporal-client.js';
import { typeNameOf } from '../../apps/platform/src/temporal/namespace-state.js';
import { WorkerPayloadCodec } from '../../apps/platform/src/temporal/worker-payload-codec.js';
import { freePort } from '../../apps/standalone/src/ports.js';
import { DYNAMIC_CONFIG } from '../../apps/standalone/src/temporal/server-settings.js';
import { workflowBundle } from '../../apps/worker/src/temporal/bundle-workflows.js';
import { TemporalWorkers } from '../../apps/worker/src/temporal/temporal-workers.js';
import {
  exchangedSignal,
  LINK_SESSION_WORKFLOW,
  linkSessionStartOptions,
  openSessionUpdate,
  submitStepUpdate,
  type ShownStep,
} from '../../workflows/session/session.contract.js';
import { SEARCH_ATTRIBUTE_TYPES } from '../../workflows/search-attribute-types.contract.js';
import { SANDBOX_LINKS_QUEUE, providerQueue } from '../../workflows/task-queues.js';
import { eventually } from '../support/assertions/eventually.js';
import { SOFT_REPLY_MS } from './support/session-user.js';
import { createFakeActivities } from './support/fake-session-activities.js';
import { FAKE_PROVIDER, FakeSession } from './support/fake-session.js';
import { slowBank } from './support/bank-behaviors.js';
import { historyText, installRuntime } from '../support/services/test-temporal.js';

const MASTER_KEYS = [{ id: 'k1', key: Buffer.alloc(32, 7) }] as const;
const SESSION = 'ses_canary';

/** A Temporal server that can be killed and started again on its data. */
class OwnServer {
  private child: ChildProcess | undefined;
  readonly folder = mkdtempSync(join(tmpdir(), 'tributary-temporal-'));

  private constructor(readonly port: number) {}

  static async onFreePort(): Promise<OwnServer> {
    return new OwnServer(await freePort('127.0.0.1'));
  }

  start(): void {
    const program = process.env['TEMPORAL_CLI_PATH'];
    if (program === undefined)
      throw new Error('TEMPORAL_CLI_PATH is not set: run this level with npm run test:workflows');
    this.child = spawn(
      program,
      [
        'server',
        'start-dev',
        '--ip',
        '127.0.0.1',
        '--port',
        String(this.port),
        '--headless',
        '--log-level',
        'never',
        '--db-filename',
        join(this.folder, 'temporal.db'),
        ...Object.entries(SEARCH_ATTRIBUTE_TYPES).flatMap(([name, type]) => [
          '--search-attribute',
          `${name}=${typeNameOf(type)}`,
        ]),
        ...Object.entries(DYNAMIC_CONFIG).flatMap(([key, value]) => [
          '--dynamic-config-value',
          `${key}=${value}`,
        ]),
      ],
      { stdio: 'ignore' },
    );
    process.once('exit', () => this.child?.kill('SIGKILL'));
  }

  async kill(): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null) return;
    const gone = new Promise<void>((resolve) => {
      child.once('exit', () => {
        resolve();
      });
    });
    child.kill('SIGKILL');
    await gone;
  }
}

describe('TemporalWorkers', () => {
  const lines: string[] = [];
  const logger = createLogger({
    name: 'test',
    level: 'info',
    format: 'json',
    destination: {
      write: (line) => {
        lines.push(line);
      },
    },
  });
  const sessions = new Map<string, FakeSession>();
  let server: OwnServer;
  let workers: TemporalWorkers;
  let ended: Promise<string>;
  let temporal: TemporalClient;
  const row = new FakeSession();
  const bank = slowBank();

  const started = () =>
    new WithStartWorkflowOperation(
      LINK_SESSION_WORKFLOW,
      linkSessionStartOptions({
        sessionId: SESSION,
        softReplyMs: SOFT_REPLY_MS,
        appId: 'demo',
        environment: 'sandbox',
      }),
    );

  beforeAll(async () => {
    installRuntime();
    server = await OwnServer.onFreePort();
    sessions.set(SESSION, row);
    row.bank = [bank.behavior];
    const { links, bank: atTheBank } = createFakeActivities(sessions);
    const options = {
      address: `127.0.0.1:${server.port}`,
      namespace: 'default',
      masterKeys: MASTER_KEYS,
    };
    temporal = openTemporalClient(options);
    workers = new TemporalWorkers({
      ...options,
      queues: [
        {
          taskQueue: SANDBOX_LINKS_QUEUE,
          activities: links,
          workflowBundle: await workflowBundle(),
        },
        { taskQueue: providerQueue(FAKE_PROVIDER), activities: atTheBank },
      ],
      shared: { dataConverter: { payloadCodecs: [new WorkerPayloadCodec(MASTER_KEYS)] } },
      logger,
      clock: () => new Date(),
      graceMs: 300,
      forceMs: 60_000,
    });
    ended = workers.run().then(
      () => 'stopped',
      () => 'failed',
    );
  });
  afterAll(async () => {
    await workers.drain();
    await workers.close();
    await temporal.close();
    await server.kill();
    rmSync(server.folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('wait for a server that is not available yet, and log it', async () => {
    await eventually(() => {
      expect(lines.filter((line) => line.includes('temporal.waiting')).length).toBeGreaterThan(1);
    });
    expect(workers.isRunning).toBe(false);
    expect(await temporal.isAvailable()).toBe(false);
    server.start();
    await eventually(() => {
      expect(workers.isRunning).toBe(true);
    });
    await eventually(() => {
      expect(lines.some((line) => line.includes('temporal.workers_running'))).toBe(true);
    });
  });

  it('work with payloads that only they and their client can read', async () => {
    await eventually(async () => {
      expect(await temporal.isAvailable()).toBe(true);
    });
    const open = (): Promise<ShownStep> =>
      temporal.client.workflow.executeUpdateWithStart(openSessionUpdate, {
        args: [],
        startWorkflowOperation: started(),
      });
    expect(await eventually(open)).toEqual({ seq: 1 });
    const submission = {
      seq: 1,
      requestId: 'r1',
      input: { kind: 'select_institution', institution_id: 'canary-bank' },
    } as const;
    expect(
      await temporal.client.workflow.executeUpdateWithStart(submitStepUpdate, {
        updateId: 'r1',
        args: [submission],
        startWorkflowOperation: started(),
      }),
    ).toEqual({ seq: 2 });
    expect(row.steps).toEqual(['select_institution', 'wait']);
    expect(
      await historyText(temporal.client.workflow.getHandle(`link-session/${SESSION}`)),
    ).not.toMatch(/"institution_id"|lookAgainInMs/);
  });

  it('continue when the server was killed and restarted, or exit so that a new process does', async () => {
    await server.kill();
    bank.answer({ kind: 'linked', accounts: 1, questions: [] });
    expect(await temporal.isAvailable()).toBe(false);
    server.start();
    const outcome = await Promise.race([
      ended,
      eventually(() => {
        expect(row.steps).toEqual(['select_institution', 'wait', 'success']);
      }).then(() => 'went on'),
    ]);
    expect(outcome).toBe('went on');
    const handle = temporal.client.workflow.getHandle(`link-session/${SESSION}`);
    await eventually(() => handle.signal(exchangedSignal));
    expect(await handle.result()).toEqual({ outcome: 'exchanged' });
  });

  it('complete their run when they are drained', async () => {
    await workers.drain();
    expect(await ended).toBe('stopped');
    expect(workers.isRunning).toBe(false);
  });
});
