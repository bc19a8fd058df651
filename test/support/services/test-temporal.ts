import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Connection, type ClientOptions, type WorkflowHandle } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import {
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
  type WorkerOptions,
} from '@temporalio/worker';
import { setUpNamespace } from '../../../apps/platform/src/temporal/set-up-namespace.js';
import { workflowBundle } from '../../../apps/worker/src/temporal/bundle-workflows.js';
import { guardActivities } from '../../../apps/worker/src/temporal/guard-activities.js';
import { traceActivities } from '../../../apps/worker/src/temporal/trace-activities.js';
import {
  bundleOfWorkers,
  versionedBundle,
} from '../../../apps/worker/src/temporal/worker-version.js';
import { SEARCH_ATTRIBUTE_TYPES } from '../../../workflows/search-attribute-types.contract.js';
import { testTemporalAddress } from './embedded-services.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const HISTORIES = `${ROOT}test/workflows/histories`;
/** WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND of Temporal's API. */
const UNHANDLED_COMMAND = 1;

export interface WorkerSetup {
  taskQueue: string;
  activities: object;
  /** Runs activities only, like the queues of providers and webhooks. */
  withoutWorkflows?: boolean;
}

/**
 * The door of workflows (test/README.md): a separate namespace on the shared server, so that task queues and workflow ids of suites never
 * collide.
 */
export class TestTemporal {
  private readonly running: { worker: Worker; done: Promise<void> }[] = [];

  private constructor(
    readonly namespace: string,
    readonly client: Client,
    private readonly connection: Connection,
    private readonly native: NativeConnection,
  ) {}

  static async open(): Promise<TestTemporal> {
    installRuntime();
    const address = testTemporalAddress();
    const namespace = `suite-${randomUUID()}`;
    const [connection, native] = await Promise.all([
      Connection.connect({ address }),
      NativeConnection.connect({ address }),
    ]);
    await setUpNamespace(connection, {
      namespace,
      attributes: SEARCH_ATTRIBUTE_TYPES,
      retentionMs: 86_400_000,
    });
    return new TestTemporal(
      namespace,
      new Client({ connection, namespace, identity: 'test-client' }),
      connection,
      native,
    );
  }

  /** A client with payloads of its own, such as those of the service or of a stranger. */
  clientWith(dataConverter: NonNullable<ClientOptions['dataConverter']>): Client {
    const { namespace } = this;
    return new Client({ connection: this.connection, namespace, dataConverter });
  }

  /**
   * `maxCachedWorkflows: 0` makes every workflow task replay the history so far, which finds most
   * nondeterminism.
   */
  async startWorkers(
    setups: readonly WorkerSetup[],
    {
      maxCachedWorkflows,
      dataConverter,
      workerDeploymentOptions,
      workflowBundle: given,
    }: Pick<
      WorkerOptions,
      'maxCachedWorkflows' | 'dataConverter' | 'workerDeploymentOptions' | 'workflowBundle'
    > = {},
  ): Promise<void> {
    const bundle = given ?? (await workflowBundle());
    const isVersioned = workerDeploymentOptions?.useWorkerVersioning === true;
    const isAuthentic = dataConverter?.failureConverterPath !== undefined;
    const code = isAuthentic
      ? bundleOfWorkers(bundle, { isVersioned })
      : isVersioned
        ? versionedBundle(bundle)
        : bundle;
    for (const { taskQueue, activities, withoutWorkflows = false } of setups) {
      const worker = await Worker.create({
        connection: this.native,
        namespace: this.namespace,
        taskQueue,
        activities,
        identity: 'test-worker',
        shutdownGraceTime: 100,
        shutdownForceTime: 2_000,
        // A cancellation arrives with the response to a heartbeat.
        maxHeartbeatThrottleInterval: 500,
        ...(withoutWorkflows ? {} : { workflowBundle: code }),
        ...(maxCachedWorkflows === undefined ? {} : { maxCachedWorkflows }),
        ...(dataConverter === undefined ? {} : { dataConverter }),
        ...(isAuthentic ? { interceptors: { activity: [guardActivities, traceActivities] } } : {}),
        ...(workerDeploymentOptions === undefined ? {} : { workerDeploymentOptions }),
      });
      this.running.push({ worker, done: worker.run() });
    }
  }

  async stopWorkers(): Promise<void> {
    const stopping = this.running.splice(0);
    for (const { worker } of stopping) worker.shutdown();
    await Promise.all(stopping.map(({ done }) => done));
  }

  async close(): Promise<void> {
    await this.stopWorkers();
    await this.native.close();
    await this.connection.close();
  }
}

let runtimeInstalled = false;

/** Called once per test file. Its signal handlers would outlive the file. */
export function installRuntime(): void {
  if (runtimeInstalled) return;
  runtimeInstalled = true;
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    shutdownSignals: [],
    telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' } } },
  });
}

/** The whole history with decoded payloads, to search for data that must not be in it. */
export async function historyText(handle: WorkflowHandle): Promise<string> {
  const text = historyToJSON(await handle.fetchHistory());
  const payloads = [...text.matchAll(/"data":\s*"([A-Za-z0-9+/=]*)"/g)].map(([, data = '']) =>
    Buffer.from(data, 'base64').toString('utf8'),
  );
  return [text, ...payloads].join('\n');
}

/** The search attributes of the workflow. The server keeps removed ones as null. */
export async function searchAttributesOf(handle: WorkflowHandle): Promise<Record<string, unknown>> {
  const { searchAttributes } = await handle.describe();
  return Object.fromEntries(
    Object.entries(searchAttributes).filter(
      ([, values]) => Array.isArray(values) && values[0] !== null,
    ),
  );
}

/** The details that the workflow shows in the Temporal UI. */
export async function detailsOf(handle: WorkflowHandle): Promise<string> {
  const shown = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  return shown.currentDetails ?? '';
}

/** The number of timers of the workflow that have fired. */
export async function timersFired(handle: WorkflowHandle): Promise<number> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).filter(({ timerFiredEventAttributes: fired }) => fired).length;
}

/**
 * Failed workflow tasks, as caused by a replay that diverges from the history. Excludes those that
 * the server repeats because a message arrived at the end of the workflow.
 */
export async function failedTasks(handle: WorkflowHandle): Promise<string[]> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).flatMap(({ workflowTaskFailedEventAttributes: failed }) =>
    failed && failed.cause !== UNHANDLED_COMMAND
      ? [`${handle.workflowId}: ${failed.failure?.message}`]
      : [],
  );
}

/**
 * With RECORD_HISTORIES=1, saves the history as the story `<workflow>/<story>`, which every later
 * run replays.
 */
export async function recordStory(
  handle: WorkflowHandle,
  workflow: string,
  story: string,
): Promise<void> {
  if (!process.env['RECORD_HISTORIES']) return;
  const file = storyFile(workflow, story) ?? `${HISTORIES}/${workflow}/${story}.json`;
  mkdirSync(dirname(file), { recursive: true });
  // Stack traces contain paths of this machine.
  writeFileSync(file, historyToJSON(await handle.fetchHistory()).replaceAll(ROOT, ''));
}

export function recordedStories(workflow: string): string[] {
  return storyFiles(workflow)
    .map((file) => basename(file, '.json'))
    .sort();
}

const storyFiles = (workflow: string) =>
  readdirSync(`${HISTORIES}/${workflow}`, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.json'),
  );

/** A story is stored in the folder of its workflow, or in a subfolder when there are many. */
function storyFile(workflow: string, story: string): string | undefined {
  const file = storyFiles(workflow).find((name) => basename(name, '.json') === story);
  return file === undefined ? undefined : `${HISTORIES}/${workflow}/${file}`;
}

/** A recorded history as JSON. */
export function readStory(workflow: string, story: string): unknown {
  const file = storyFile(workflow, story);
  if (file === undefined) throw new Error(`no recorded history ${workflow}/${story}`);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * Replays recorded histories in one worker, because most of a replay is the start of its worker.
 * @returns by `<workflow>/<story>` where the current code differs from the history; undefined = nowhere
 */
export async function replayStories(
  stories: readonly { workflow: string; story: string }[],
): Promise<Map<string, Error | undefined>> {
  installRuntime();
  const replays = Worker.runReplayHistories(
    { workflowBundle: await workflowBundle() },
    stories.map(({ workflow, story }) => ({
      workflowId: `${workflow}/${story}`,
      history: readStory(workflow, story),
    })),
  );
  const differences = new Map<string, Error | undefined>();
  for await (const { workflowId, error } of replays) differences.set(workflowId, error);
  return differences;
}
