import type { TemporalClient } from '../../apps/platform/src/temporal/temporal-client.js';
import { eventually } from '../support/assertions/eventually.js';
import { ClusterStage } from '../support/cluster/cluster-stage.js';
import { makeNextBuild, NEXT_PATCH } from './support/next-build.js';
import { temporalOf } from '../support/cluster/open-workflows.js';
import { migrate } from '../support/cluster/service-on-cluster.js';

/** Two rolls of four processes each, on a computer that may be busy. */
const WITHIN_MS = 1_200_000;
const OLD_BUILD = { dist: 'dist', env: {} };

let stage: ClusterStage;
let temporal: TemporalClient;
let next: string;

beforeAll(async () => {
  next = await makeNextBuild();
  stage = await ClusterStage.start({ balancerLateMs: 2_000, env: { STOP_DELAY: '10s' } });
  temporal = temporalOf(stage.service);
});

afterAll(async () => {
  await temporal?.close();
  await stage?.stop();
});

const workflowsWith = (condition: string): Promise<number> =>
  temporal.client.workflow
    .count(`TemporalChangeVersion = '${NEXT_PATCH}'${condition}`)
    .then(({ count }) => count);

describe('A build with one more migration and a changed workflow', () => {
  it(
    'is deployed under load with its changes off, then enables them, and nothing fails or is lost',
    async () => {
      await migrate(stage.service.env, next);
      Object.assign(stage.service.build, { dist: next, env: { WORKFLOW_PATCHES: 'off' } });
      expect(new Set(await stage.rollUnderLoad())).toEqual(new Set([1]));
      expect(await workflowsWith('')).toBe(0);
      stage.service.build.env = { WORKFLOW_PATCHES: 'on' };
      expect(new Set(await stage.rollUnderLoad())).toEqual(new Set([1]));
      await eventually(async () => expect(await workflowsWith('')).toBeGreaterThan(0));
    },
    WITHIN_MS,
  );

  it(
    'is rolled back under load once no workflow is open that used its changes',
    async () => {
      stage.service.build.env = { WORKFLOW_PATCHES: 'off' };
      expect(new Set(await stage.rollUnderLoad())).toEqual(new Set([1]));
      await eventually(async () =>
        expect(await workflowsWith(" AND ExecutionStatus = 'Running'")).toBe(0),
      );
      Object.assign(stage.service.build, OLD_BUILD);
      expect(new Set(await stage.rollUnderLoad())).toEqual(new Set([1]));
      await stage.untilNormal();
    },
    WITHIN_MS,
  );
});
