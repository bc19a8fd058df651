import type { WorkerVersions } from '../../apps/platform/src/temporal/worker-deployment.js';
import type { TemporalClient } from '../../apps/platform/src/temporal/temporal-client.js';
import { runCommand } from '../support/actors/operator.js';
import { eventually } from '../support/assertions/eventually.js';
import { ClusterStage } from '../support/cluster/cluster-stage.js';
import { makeNextBuild } from './support/next-build.js';
import { temporalOf } from '../support/cluster/open-workflows.js';
import { migrate } from '../support/cluster/service-on-cluster.js';

/** Several starts of workers, on a computer that may be busy. */
const WITHIN_MS = 1_200_000;
const DRAINED_WITHIN_MS = 600_000;
const VERSIONED = { WORKER_VERSIONING: 'on' };

let stage: ClusterStage;
let temporal: TemporalClient;
let oldDist: string;
let nextDist: string;
/** Build ids. */
let [first, second] = ['', ''];

beforeAll(async () => {
  nextDist = await makeNextBuild();
  stage = await ClusterStage.start({ balancerLateMs: 0 });
  oldDist = stage.service.build.dist;
  temporal = temporalOf(stage.service);
  await migrate(stage.service.env, nextDist);
}, WITHIN_MS);

afterAll(async () => {
  await temporal?.close();
  await stage?.stop();
});

/** Runs `temporal versions …`, as soon as Temporal has seen the workers of the build. */
const versions = (...args: string[]): Promise<string> =>
  eventually(async () => {
    const { status, stdout, stderr } = await runCommand(
      ['temporal', 'versions', ...args],
      stage.service.env,
    );
    if (status !== 0) throw new Error(stderr);
    return stdout;
  });
const list = async () => JSON.parse(await versions('list', '--json')) as WorkerVersions;
const stateOf = async (buildId: string) =>
  (await list()).versions.find((each) => each.buildId === buildId)?.state;
const untilDrained = (buildId: string) =>
  eventually(async () => expect(await stateOf(buildId)).toBe('drained'), {
    within: DRAINED_WITHIN_MS,
    every: 1_000,
  });

/** Makes one of the two workers run a build from now on. */
async function restartWorker(index: 0 | 1, dist: string, env: Record<string, string>) {
  const worker = stage.service.workers[index];
  if (worker === undefined) throw new Error('there is no such worker');
  await worker.stop();
  Object.assign(stage.service.build, { dist, env });
  await worker.start();
}

/** The refreshes that this build has started. They stay on the build that started them. */
const refreshesOf = async (buildId: string): Promise<number> =>
  (
    await temporal.client.workflow.count(
      `WorkflowType = 'productRefresh' AND TemporalWorkerDeploymentVersion = 'tributary:${buildId}'`,
    )
  ).count;

async function untilMoreRefreshesOf(buildId: string): Promise<void> {
  const before = await refreshesOf(buildId);
  await eventually(async () => expect(await refreshesOf(buildId)).toBeGreaterThan(before));
}

const expectOnce = (arrivals: readonly number[]) => expect(new Set(arrivals)).toEqual(new Set([1]));

describe('Workers with versioning, in two builds side by side,', () => {
  it(
    'join workers without versioning, and receive the work under load once their build is named',
    async () => {
      expectOnce(
        await stage.underLoad(async () => {
          await restartWorker(1, oldDist, VERSIONED);
          const { current, versions: known } = await eventually(list);
          expect(current).toBeNull();
          first = known[0]?.buildId ?? '';
          await versions('set-current', first);
          await untilMoreRefreshesOf(first);
          await restartWorker(0, oldDist, VERSIONED);
        }),
      );
    },
    WITHIN_MS,
  );

  it(
    'ramp to the next build under load and return during the ramp',
    async () => {
      expectOnce(
        await stage.underLoad(async () => {
          await restartWorker(1, nextDist, VERSIONED);
          second = await eventually(async () => {
            const found = (await list()).versions.find(({ buildId }) => buildId !== first);
            if (found === undefined) throw new Error('the next build is not known yet');
            return found.buildId;
          });
          await versions('ramp', second, '50');
          expect((await list()).ramping).toEqual({ buildId: second, percentage: 50 });
          await untilMoreRefreshesOf(second);
          await untilMoreRefreshesOf(first);
          await versions('ramp', second, '0');
          expect(await list()).toMatchObject({ current: first, ramping: null });
          await untilMoreRefreshesOf(first);
        }),
      );
    },
    WITHIN_MS,
  );

  it(
    'move to the next build under load, and return afterwards, until the next build is drained',
    async () => {
      expectOnce(
        await stage.underLoad(async () => {
          await versions('set-current', second);
          await untilMoreRefreshesOf(second);
          await versions('set-current', first);
          await untilMoreRefreshesOf(first);
        }),
      );
      await untilDrained(second);
    },
    WITHIN_MS,
  );

  it(
    'are replaced by workers without versioning under load',
    async () => {
      expectOnce(
        await stage.underLoad(async (traffic) => {
          await restartWorker(1, oldDist, { WORKER_VERSIONING: 'off' });
          await versions('set-current', 'unversioned');
          const { length } = traffic.linked;
          await eventually(() => expect(traffic.linked.length).toBeGreaterThan(length + 3));
        }),
      );
      await untilDrained(first);
      await restartWorker(0, oldDist, { WORKER_VERSIONING: 'off' });
      await stage.untilNormal();
    },
    WITHIN_MS,
  );
});
