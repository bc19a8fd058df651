import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import type { FetchResult } from '../../../activities/refresh/fetch-activities.js';
import { ProviderFailure, type ProviderCause } from '../../../domain/errors/provider-failure.js';
import type { RefreshSubject } from '../../../domain/refresh/refresh-subject.js';
import {
  PRODUCT_REFRESH_WORKFLOW,
  productRefreshStartOptions,
  type ProductRefreshInput,
  type ProductRefreshResult,
} from '../../../workflows/product-refresh/product-refresh.contract.js';
import { LINKS_QUEUE, providerQueue } from '../../../workflows/task-queues.js';
import {
  createFakeRefreshActivities,
  FakeRefresh,
  FETCH_PROVIDER,
  type FetchBehavior,
} from './fake-refresh.js';
import { recordStory, TestTemporal } from '../../support/services/test-temporal.js';
import { PASSES } from './passes.js';

const RETRIES = { fetchRetryForMs: 60_000, fetchRetryForSandboxMs: 1_000, firstRetryMs: 50 };
export const failing =
  (cause: ProviderCause, retryAfterSeconds: number | null = null): FetchBehavior =>
  () => {
    throw new ProviderFailure(cause, 'canary-remote-text', retryAfterSeconds);
  };

/** A bank that responds once it receives the announcement. */
export function heldBack(): {
  behavior: FetchBehavior;
  answer: () => void;
  canceled: () => boolean;
} {
  let answer: () => void = () => undefined;
  let wasCanceled = false;
  const answered = new Promise<FetchResult>((resolve) => {
    answer = () => resolve({ kind: 'stored', created: 1, updated: 0, removed: 0 });
  });
  return {
    behavior: (signal) =>
      Promise.race([
        answered,
        new Promise<never>((_, reject) => {
          signal.addEventListener('abort', () => {
            wasCanceled = true;
            reject(new Error('aborted'));
          });
        }),
      ]),
    answer: () => answer(),
    canceled: () => wasCanceled,
  };
}

/** The tools of the tests of productRefresh. */
export interface RefreshStage {
  readonly pass: string;
  readonly temporal: TestTemporal;
  readonly links: Map<string, FakeRefresh>;
  newLink(...requests: FakeRefresh['requests']): FakeRefresh;
  request(
    link: FakeRefresh,
    input?: Partial<ProductRefreshInput>,
    subject?: RefreshSubject,
  ): Promise<WorkflowHandle>;
  resultOf(handle: WorkflowHandle): Promise<ProductRefreshResult>;
  /** Keeps the history as a story, once for both passes. */
  record(handle: WorkflowHandle, story: string): Promise<void>;
}

/** The same tests twice: with workflows that stay in memory, and replayed at every task. */
export function describeRefreshes(tests: (stage: RefreshStage) => void): void {
  describe.each(PASSES)('productRefresh, %s', (pass, maxCachedWorkflows) => {
    let temporal: TestTemporal;
    const links = new Map<string, FakeRefresh>();
    const stage: RefreshStage = {
      pass,
      get temporal() {
        return temporal;
      },
      links,
      newLink: (...requests) => {
        const link = new FakeRefresh(`mk_${randomUUID().slice(0, 8)}`);
        link.requests = requests;
        links.set(link.linkId, link);
        return link;
      },
      request: ({ linkId }, input = {}, subject) =>
        temporal.client.workflow.signalWithStart(
          PRODUCT_REFRESH_WORKFLOW,
          productRefreshStartOptions({
            linkId,
            ...RETRIES,
            ...input,
            ...(subject === undefined ? {} : { subject }),
          }),
        ),
      resultOf: async (handle) => (await handle.result()) as ProductRefreshResult,
      record: async (handle, story) => {
        if (pass === 'with its cache') await recordStory(handle, 'product-refresh', story);
      },
    };

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
    tests(stage);
  });
}
