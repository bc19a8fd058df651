import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import type { WorkflowHandle } from '@temporalio/client';
import type { ErasureActivities } from '../../activities/deletion/erasure-activities.js';
import { Output } from '../../clients/terminal/src/output.js';
import { addCommand } from '../../clients/terminal/src/program.js';
import { WORKER_VERSION_COMMANDS } from '../../apps/operator/src/commands/temporal/worker-version-commands.js';
import type { CommandService } from '../../apps/operator/src/operator-command.js';
import {
  DEPLOYMENT_NAME,
  rampVersion,
  readWorkerVersions,
  setCurrentVersion,
} from '../../apps/platform/src/temporal/worker-deployment.js';
import { deploymentOptions } from '../../apps/worker/src/temporal/worker-version.js';
import {
  PRODUCT_REFRESH_WORKFLOW,
  productRefreshStartOptions,
} from '../../workflows/product-refresh/product-refresh.contract.js';
import { LINKS_QUEUE, providerQueue } from '../../workflows/task-queues.js';
import {
  USER_ERASURE_WORKFLOW,
  userErasureStartOptions,
} from '../../workflows/user-erasure/user-erasure.contract.js';
import { eventually } from '../support/assertions/eventually.js';
import { TestTemporal } from '../support/services/test-temporal.js';
import {
  createFakeRefreshActivities,
  FakeRefresh,
  FETCH_PROVIDER,
  stored,
} from './support/fake-refresh.js';

const BUILD_1 = '0.1.0-000000000001';
const BUILD_2 = '0.1.0-000000000002';

/** Two builds of workers side by side, as in a release with WORKER_VERSIONING=on. */
describe('Worker versions', () => {
  let temporal: TestTemporal;
  const links = new Map<string, FakeRefresh>();
  const erasures = new Map<string, 'waiting' | 'done'>();

  const startBuild = (buildId: string, isVersioned: boolean) => {
    const activities = createFakeRefreshActivities(links);
    const erasure: ErasureActivities = {
      advanceErasure: async ({ erasureId }) => erasures.get(erasureId) ?? 'done',
    };
    return temporal.startWorkers(
      [
        { taskQueue: LINKS_QUEUE, activities: { ...activities.links, ...erasure } },
        {
          taskQueue: providerQueue(FETCH_PROVIDER),
          activities: activities.bank,
          withoutWorkflows: true,
        },
      ],
      {
        maxCachedWorkflows: 0,
        workerDeploymentOptions: deploymentOptions(
          { deploymentName: DEPLOYMENT_NAME, buildId },
          { isVersioned },
        ),
      },
    );
  };

  beforeAll(async () => {
    temporal = await TestTemporal.open();
  });
  afterAll(() => temporal.close());

  function refresh(link = new FakeRefresh(`mk_${randomUUID().slice(0, 8)}`)) {
    links.set(link.linkId, link);
    link.requests = ['accounts'];
    return temporal.client.workflow.signalWithStart(
      PRODUCT_REFRESH_WORKFLOW,
      productRefreshStartOptions({
        linkId: link.linkId,
        fetchRetryForMs: 60_000,
        fetchRetryForSandboxMs: 60_000,
        firstRetryMs: 50,
      }),
    );
  }
  /** A refresh whose bank responds when `answer` is called. */
  async function refreshInProgress() {
    const link = new FakeRefresh(`mk_${randomUUID().slice(0, 8)}`);
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    link.bank.accounts = [(signal) => answered.then(() => stored(signal))];
    const handle = await refresh(link);
    await eventually(() => expect(link.calls).toContain('fetch accounts'));
    return { handle, answer };
  }
  /** An erasure that checks again, quickly, until it is done. */
  async function erasureInProgress() {
    const erasureId = randomUUID();
    erasures.set(erasureId, 'waiting');
    const handle = await temporal.client.workflow.start(
      USER_ERASURE_WORKFLOW,
      userErasureStartOptions({ erasureId, firstWaitMs: 100, longestWaitMs: 100 }),
    );
    await eventually(async () => expect((await buildsOf(handle)).length).toBeGreaterThan(0));
    return { handle, end: () => erasures.set(erasureId, 'done') };
  }

  it('are shown for workers that are not versioned', async () => {
    await startBuild(BUILD_1, false);
    await (await refresh()).result();
    await eventually(async () => {
      const { pollers } = await temporal.client.workflowService.describeTaskQueue({
        namespace: temporal.namespace,
        taskQueue: { name: LINKS_QUEUE },
      });
      expect(pollers?.map(({ deploymentOptions: shown }) => shown?.buildId)).toContain(BUILD_1);
    });
    expect((await readWorkerVersions(temporal.client))?.current ?? null).toBeNull();
    await temporal.stopWorkers();
  });

  it('assign work to the current build, ramp, and roll back', async () => {
    const { client } = temporal;
    await startBuild(BUILD_1, true);
    await eventually(() => setCurrentVersion(client, BUILD_1));
    const first = await refresh();
    await first.result();
    expect(await buildsOf(first)).toEqual([BUILD_1]);

    await startBuild(BUILD_2, true);
    await eventually(() => rampVersion(client, BUILD_2, 50));
    expect(await readWorkerVersions(client)).toMatchObject({
      current: BUILD_1,
      ramping: { buildId: BUILD_2, percentage: 50 },
    });
    await rampVersion(client, BUILD_2, 0);
    expect((await readWorkerVersions(client))?.ramping).toBeNull();

    const pinned = await refreshInProgress();
    const upgraded = await erasureInProgress();
    expect(await buildsOf(upgraded.handle)).toEqual([BUILD_1]);
    await setCurrentVersion(client, BUILD_2);
    const second = await refresh();
    await second.result();
    expect(await buildsOf(second)).toEqual([BUILD_2]);
    await eventually(async () =>
      expect(await buildsOf(upgraded.handle)).toEqual([BUILD_1, BUILD_2]),
    );
    pinned.answer();
    await pinned.handle.result();
    expect(await buildsOf(pinned.handle)).toEqual([BUILD_1]);

    await setCurrentVersion(client, BUILD_1);
    const third = await refresh();
    await third.result();
    expect(await buildsOf(third)).toEqual([BUILD_1]);
    await eventually(async () =>
      expect(await buildsOf(upgraded.handle)).toEqual([BUILD_1, BUILD_2, BUILD_1]),
    );
    upgraded.end();
    await upgraded.handle.result();
    const { versions, current } = (await readWorkerVersions(client)) ?? {};
    expect(current).toBe(BUILD_1);
    expect(versions?.map(({ buildId }) => buildId).sort()).toEqual([BUILD_1, BUILD_2]);
  });

  it('are listed and changed by commands', async () => {
    expect(await run('set-current', BUILD_2)).toBe(`New work goes to ${BUILD_2}.\n`);
    expect(await run('ramp', BUILD_1, '25')).toBe(`25 % of new work goes to ${BUILD_1}.\n`);
    const list = await run('list');
    expect(list).toContain(`New work goes to ${BUILD_2}.`);
    expect(list).toMatch(new RegExp(`^${BUILD_1} +ramping 25 % `, 'm'));
    expect(list).toMatch(new RegExp(`^${BUILD_2} +current `, 'm'));
    expect(await run('ramp', BUILD_1, '0')).toBe('The ramp has ended.\n');
    await expect(run('ramp', BUILD_1, '101')).rejects.toThrow('from 0 to 100 percent');
    await expect(run('set-current', '0.1.0-unknown')).rejects.toThrow(/^Temporal refused: /);
    await run('set-current', 'unversioned');
    expect(JSON.parse(await run('list', '--json'))).toMatchObject({ current: null, ramping: null });
  });

  it('reject a build that has no worker', async () => {
    await expect(setCurrentVersion(temporal.client, '0.1.0-unknown')).rejects.toThrow(
      /FAILED_PRECONDITION|NOT_FOUND/,
    );
  });

  /** The output of `temporal versions …`. */
  async function run(...args: string[]): Promise<string> {
    const program = new Command().exitOverride();
    let printed = '';
    const stream = { write: (text: unknown) => (printed += text) };
    const form = { isJson: args.includes('--json') };
    const service = {
      temporal: async () => temporal.client,
      output: new Output({ stdout: stream, stderr: stream }, {}, form),
    } as CommandService;
    for (const operator of WORKER_VERSION_COMMANDS)
      addCommand(program, operator, {}, async (values) => {
        await operator.run(service, ...values);
      });
    await program.parseAsync(['temporal', 'versions', ...args], { from: 'user' });
    return printed;
  }

  /** The builds that worked on the workflow, without repetitions in a row. */
  async function buildsOf(handle: WorkflowHandle): Promise<string[]> {
    const { events } = await handle.fetchHistory();
    const builds = (events ?? []).flatMap(({ workflowTaskCompletedEventAttributes: done }) =>
      done ? [done.deploymentVersion?.buildId ?? 'none'] : [],
    );
    return builds.filter((build, index) => build !== builds[index - 1]);
  }
});
