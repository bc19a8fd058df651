import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import {
  ProviderFailure,
  QuotaUsedUp,
  type ProviderCause,
} from '../../domain/errors/provider-failure.js';
import {
  PRODUCT_REFRESH_WORKFLOW,
  productRefreshStartOptions,
  productRefreshWorkflowId,
  type ProductRefreshInput,
} from '../../workflows/product-refresh/product-refresh.contract.js';
import { LINKS_QUEUE, providerQueue } from '../../workflows/task-queues.js';
import { eventually } from '../support/assertions/eventually.js';
import { historyText, recordStory, TestTemporal } from '../support/services/test-temporal.js';
import {
  createFakeRefreshActivities,
  FakeRefresh,
  FETCH_PROVIDER,
  type UpdateBehavior,
} from './support/fake-refresh.js';
import { PASSES } from './support/passes.js';
import { differencesOf } from './support/replay-live.js';

const RETRIES = { fetchRetryForMs: 60_000, fetchRetryForSandboxMs: 60_000, firstRetryMs: 50 };
const done: UpdateBehavior = () => ({ kind: 'done' });
const pending = (askAgainAfterMs: number): UpdateBehavior => {
  return () => ({ kind: 'pending', askAgainAfterMs });
};
const failing = (cause: ProviderCause): UpdateBehavior => {
  return () => {
    throw new ProviderFailure(cause, 'canary-remote-text');
  };
};
const FETCHES = [
  'begin accounts',
  'fetch accounts',
  'begin transactions',
  'fetch transactions',
  'finish with success',
];

describe.each(PASSES)(
  'productRefresh of a source that asks its bank first, %s',
  (pass, maxCachedWorkflows) => {
    let temporal: TestTemporal;
    const links = new Map<string, FakeRefresh>();

    beforeAll(async () => {
      temporal = await TestTemporal.open();
      const activities = createFakeRefreshActivities(links);
      await temporal.startWorkers(
        [
          { taskQueue: LINKS_QUEUE, activities: activities.links },
          {
            taskQueue: providerQueue(FETCH_PROVIDER),
            activities: activities.bank,
            withoutWorkflows: true,
          },
        ],
        { maxCachedWorkflows },
      );
    });
    afterAll(() => temporal.close());

    function newLink(...update: UpdateBehavior[]): FakeRefresh {
      const link = new FakeRefresh(`mk_${randomUUID().slice(0, 8)}`);
      link.requests = ['accounts', 'transactions'];
      link.update = update;
      links.set(link.linkId, link);
      return link;
    }

    const start = (
      { linkId }: FakeRefresh,
      input: Partial<ProductRefreshInput> = {},
    ): Promise<WorkflowHandle> =>
      temporal.client.workflow.signalWithStart(
        PRODUCT_REFRESH_WORKFLOW,
        productRefreshStartOptions({ linkId, ...RETRIES, ...input }),
      );
    const record = (handle: WorkflowHandle, story: string) =>
      pass === 'with its cache' ? recordStory(handle, 'product-refresh', story) : undefined;
    /** The calls after those that start the run and its products. */
    const callsAfterBegin = ({ calls }: FakeRefresh) => {
      expect(calls.slice(0, 3)).toEqual(['beginRun', 'begin accounts', 'begin transactions']);
      return calls.slice(3);
    };

    it('updates once before the fetches of a run', async () => {
      const link = newLink(done);
      const handle = await start(link);
      await handle.result();
      expect(callsAfterBegin(link)).toEqual(['update', ...FETCHES]);
    });

    it('checks a pending update again after the time that the source set', async () => {
      const link = newLink(pending(1_500), pending(10), done);
      const startedAt = Date.now();
      const handle = await start(link);
      await handle.result();
      expect(callsAfterBegin(link)).toEqual([
        'update',
        'ask about update',
        'ask about update',
        ...FETCHES,
      ]);
      expect(Date.now() - startedAt).toBeGreaterThanOrEqual(2_500);
      await record(handle, 'update-pending');
    });

    it('reads the available data when the update takes too long', async () => {
      const link = newLink(pending(400));
      const handle = await start(link, { updateForMs: 1_500 });
      await handle.result();
      const calls = callsAfterBegin(link).filter((call) => call !== 'ask about update');
      expect(calls).toEqual(['update', ...FETCHES]);
    });

    it('loses the permission of a link whose bank challenges the user in the background', async () => {
      const link = newLink(pending(10), failing('user_action_required'));
      const handle = await start(link);
      await handle.result();
      expect(callsAfterBegin(link)).toEqual([
        'update',
        'ask about update',
        'fail accounts user_action_required',
        'finish without success',
      ]);
      expect(await historyText(handle)).not.toContain('canary-remote-text');
    });

    it('retries a failed update like a fetch, and fails every product with its last failure', async () => {
      const recovering = newLink(failing('institution_down'), done);
      const handle = await start(recovering);
      await handle.result();
      expect(callsAfterBegin(recovering)).toEqual(['update', 'update', ...FETCHES]);

      const down = newLink(failing('institution_down'));
      await (await start(down, { fetchRetryForSandboxMs: 0 })).result();
      expect(callsAfterBegin(down)).toEqual([
        'update',
        'fail accounts institution_down',
        'fail transactions institution_down',
        'finish without success',
      ]);
    });

    it('fails every product with the time until which the quota of its update is used up', async () => {
      const link = newLink(() => {
        throw new QuotaUsedUp('refreshes', 3_600);
      });
      const startedAt = Date.now();
      await (await start(link)).result();
      expect(callsAfterBegin(link)).toContain('fail transactions rate_limited');
      expect(link.failures).toHaveLength(2);
      for (const { until, isOurQuota } of link.failures) {
        expect(isOurQuota).toBe(true);
        const waitMs = Date.parse(until ?? '') - startedAt;
        expect(waitMs).toBeGreaterThanOrEqual(3_600_000 - 1_000);
        expect(waitMs).toBeLessThan(3_660_000);
      }
    });

    it('leaves nothing in progress when an operator cancels it during the update', async () => {
      const link = newLink(pending(60_000));
      const handle = await start(link);
      await eventually(() => {
        expect(link.calls).toContain('update');
      });
      await handle.cancel();
      await expect(handle.result()).rejects.toThrow();
      expect(link.calls).toEqual(
        expect.arrayContaining(['fail accounts internal', 'fail transactions internal']),
      );
    });

    it('replays deterministically', async () => {
      const handles = [...links.keys()].map((linkId) =>
        temporal.client.workflow.getHandle(productRefreshWorkflowId(linkId)),
      );
      expect(handles.length).toBeGreaterThan(5);
      expect(await differencesOf(handles)).toEqual([]);
    });
  },
);
