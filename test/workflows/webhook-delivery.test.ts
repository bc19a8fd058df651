import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import {
  createWebhookActivities,
  type WebhookActivities,
} from '../../activities/webhooks/webhook-activities.js';
import { AttemptInterrupted } from '../../domain/webhooks/attempt-interrupted.js';
import type { AttemptOutcome, AttemptVerdict } from '../../domain/webhooks/judge-attempt.js';
import { TenantShares } from '../../domain/webhooks/tenant-shares.js';
import type { DueDelivery } from '../../prisma/announcements/webhooks/due-delivery.js';
import type { AttemptClaim } from '../../prisma/announcements/webhooks/webhook-claim.repository.js';
import { SANDBOX_LINKS_QUEUE, SANDBOX_WEBHOOKS_QUEUE } from '../../workflows/task-queues.js';
import {
  WEBHOOK_DELIVERY_WORKFLOW,
  webhookDeliveryStartOptions,
} from '../../workflows/webhook-delivery/webhook-delivery.contract.js';
import { eventually } from '../support/assertions/eventually.js';
import { historyText, recordStory, TestTemporal } from '../support/services/test-temporal.js';
import { PASSES } from './support/passes.js';

const SECRET_PATH = '/hooks/canary-path?key=canary-query';
const DELIVERY: DueDelivery = {
  pk: 1n,
  deliveryId: 'whd_m3FPBVqADyP2iKxUFgN4KL',
  url: `https://app.example${SECRET_PATH}`,
  endpoint: 'https://app.example:443',
  attempt: 2,
  firstAttemptAt: new Date(0),
  shiftMs: 0,
  eventId: 'evt_zzA99ZMHfK86BMcJvTJ8ht',
  linkId: 'mk_rEhksmcWQTnydVaHJ7FT6N',
  webhookEvent: 'link.product_refresh',
  idempotencyKey: 'canary-key',
  appId: 'pocket-ledger',
  environment: 'sandbox',
  format: 'native',
  body: '{"canary":"body"}',
  sealedBody: null,
  traceId: null,
};
const START = {
  deliveryId: DELIVERY.deliveryId,
  endpointHost: 'app.example',
  webhookEvent: DELIVERY.webhookEvent,
  attemptTimeoutMs: 60_000,
  retryMs: 50,
  linkId: DELIVERY.linkId,
  appId: 'pocket-ledger',
  environment: 'sandbox' as const,
};

type Attempted = { answer: AttemptOutcome; verdict: AttemptVerdict };
const answered = (httpStatus: number): AttemptOutcome => ({
  httpStatus,
  error: httpStatus < 300 ? null : 'http_status',
  retryAfterSeconds: null,
});
const failedUntil = (nextAttemptAt: Date): Attempted => ({
  answer: answered(500),
  verdict: { status: 'pending', nextAttemptAt, shiftMs: 0 },
});
const endedAs = (
  status: 'delivered' | 'exhausted' | 'disabled',
  httpStatus: number,
): Attempted => ({ answer: answered(httpStatus), verdict: { status } });
const inMs = (ms: number) => new Date(Date.now() + ms);

/**
 * The row and the receiver, as a script: each call uses the next entry, and the last one
 * repeatedly.
 */
class FakeDelivery {
  claims: (() => AttemptClaim)[] = [() => ({ kind: 'due', delivery: DELIVERY })];
  attempts: (() => Attempted | Promise<Attempted>)[] = [];
  claimed: number[] = [];
  attempted: number[] = [];
  stopped = 0;

  readonly activities = createWebhookActivities({
    claims: {
      claimAttempt: () => {
        this.claimed.push(Date.now());
        return Promise.resolve(nextOf(this.claims)());
      },
      release: () => Promise.resolve(),
    },
    deliveries: {
      stop: () => {
        this.stopped += 1;
        return Promise.resolve('exhausted' as const);
      },
    },
    attempt: async () => {
      this.attempted.push(Date.now());
      return nextOf(this.attempts)();
    },
    slots: { perEndpoint: 8, leaseMs: 1_000 },
    shares: new TenantShares(1),
    clock: () => new Date(),
    chance: () => 0,
  });
}

function nextOf<T>(script: T[]): T {
  const [first] = script;
  if (first === undefined) throw new Error('the script has no entry');
  if (script.length > 1) script.shift();
  return first;
}

describe.each(PASSES)('webhookDelivery, %s', (pass, maxCachedWorkflows) => {
  let temporal: TestTemporal;
  let fake: FakeDelivery;

  beforeAll(async () => {
    temporal = await TestTemporal.open();
    const activities: WebhookActivities = {
      attemptDelivery: (input) => fake.activities.attemptDelivery(input),
      stopDelivery: (input) => fake.activities.stopDelivery(input),
    };
    await temporal.startWorkers(
      [
        { taskQueue: SANDBOX_LINKS_QUEUE, activities },
        { taskQueue: SANDBOX_WEBHOOKS_QUEUE, activities, withoutWorkflows: true },
      ],
      { maxCachedWorkflows },
    );
  });
  beforeEach(() => {
    fake = new FakeDelivery();
  });
  afterAll(() => temporal.close());

  const start = () =>
    temporal.client.workflow.start(WEBHOOK_DELIVERY_WORKFLOW, webhookDeliveryStartOptions(START));
  const record = (handle: WorkflowHandle, story: string) =>
    pass === 'with its cache' ? recordStory(handle, 'webhook-delivery', story) : Promise.resolve();
  const pendingActivity = async (handle: WorkflowHandle) => {
    const { raw } = await handle.describe();
    return raw.pendingActivities?.[0];
  };

  it('makes each attempt at its planned time until one is delivered', async () => {
    const due = inMs(400);
    fake.claims = [
      () => ({ kind: 'notDue', dueAt: due }),
      () => ({ kind: 'due', delivery: DELIVERY }),
      () => ({ kind: 'due', delivery: { ...DELIVERY, attempt: 3 } }),
    ];
    let planned = 0;
    fake.attempts = [
      () => {
        planned = Date.now() + 300;
        return failedUntil(new Date(planned));
      },
      () => endedAs('delivered', 204),
    ];
    const handle = await start();
    expect(await handle.result()).toEqual({ status: 'delivered', attempts: 3 });
    const [first = 0, second = 0] = fake.attempted;
    expect(first).toBeGreaterThanOrEqual(due.getTime() - 5);
    expect(second).toBeGreaterThanOrEqual(planned - 5);
    expect(second).toBeLessThan(planned + 30_000);
    await record(handle, 'retry-delivered');
    expect((await handle.fetchHistory()).events?.length).toBeLessThanOrEqual(12);
  });

  it('ends with the last attempt of the plan', async () => {
    fake.attempts = [() => failedUntil(inMs(20)), () => endedAs('exhausted', 500)];
    const handle = await start();
    expect(await handle.result()).toMatchObject({ status: 'exhausted' });
  });

  it('ends when the receiver disables its address, even by the response to another event', async () => {
    fake.attempts = [() => failedUntil(inMs(20)), () => endedAs('disabled', 410)];
    const handle = await start();
    expect(await handle.result()).toMatchObject({ status: 'disabled' });

    fake.claims = [() => ({ kind: 'done', status: 'disabled', attempts: 4 })];
    expect(await (await start()).result()).toEqual({ status: 'disabled', attempts: 4 });
  });

  it.each(['delivered', 'exhausted', 'replaced'] as const)(
    'makes no attempt when the delivery is already %s',
    async (status) => {
      fake.claims = [() => ({ kind: 'done', status, attempts: 2 })];
      expect(await (await start()).result()).toEqual({ status, attempts: 2 });
      expect(fake.attempted).toEqual([]);
    },
  );

  it('shows operators why the last attempt failed and when the next is due', async () => {
    const due = inMs(3_600_000);
    fake.attempts = [() => failedUntil(due)];
    const handle = await start();
    const pending = await eventually(async () => {
      const activity = await pendingActivity(handle);
      expect(activity?.lastFailure?.message).toBe('attempt 2 failed: HTTP 500');
      return activity;
    });
    const next = Number(pending?.nextAttemptScheduleTime?.seconds ?? 0) * 1_000;
    expect(Math.abs(next - due.getTime())).toBeLessThan(60_000);
    const description = await handle.describe();
    expect(await description.staticSummary()).toBe('link.product_refresh to app.example');
    expect(await description.staticDetails()).toContain('app.example');
    expect(
      Object.fromEntries(
        description.typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]),
      ),
    ).toMatchObject({
      LinkId: DELIVERY.linkId,
      AppId: 'pocket-ledger',
      Environment: 'sandbox',
      WebhookEvent: 'link.product_refresh',
    });
    await handle.terminate();
  });

  it('ends at once and consistently when an operator cancels it', async () => {
    fake.attempts = [() => failedUntil(inMs(3_600_000))];
    const handle = await start();
    await eventually(async () => expect((await pendingActivity(handle))?.lastFailure).toBeTruthy());
    await handle.cancel();
    await expect(handle.result()).rejects.toThrow(WorkflowFailedError);
    expect((await handle.describe()).status.name).toBe('CANCELLED');
    expect({ stopped: fake.stopped, attempted: fake.attempted.length }).toEqual({
      stopped: 1,
      attempted: 1,
    });
    await record(handle, 'cancelled');
  });

  it('checks for a free slot several times, then returns later without an attempt', async () => {
    fake.claims = [
      ...Array.from({ length: 6 }, () => () => ({ kind: 'noSlot' }) as const),
      () => ({ kind: 'due', delivery: DELIVERY }),
    ];
    fake.attempts = [() => endedAs('delivered', 200)];
    await (await start()).result();
    expect(fake.claimed).toHaveLength(7);
    const [last = 0, next = 0] = fake.claimed.slice(5);
    expect(next - last).toBeGreaterThanOrEqual(990);
    expect(fake.attempted).toHaveLength(1);
  });

  it('repeats an attempt whose worker failed', async () => {
    fake.attempts = [
      () => {
        throw new Error('the database is away');
      },
      () => endedAs('delivered', 200),
    ];
    expect(await (await start()).result()).toMatchObject({ status: 'delivered' });
    expect(fake.attempted).toHaveLength(2);
  });

  it('repeats an attempt that was interrupted by a stopping worker', async () => {
    fake.attempts = [
      () => Promise.reject(new AttemptInterrupted()),
      () => endedAs('delivered', 200),
    ];
    expect(await (await start()).result()).toMatchObject({ status: 'delivered' });
  });

  it('fails permanently when the event log no longer has the delivery', async () => {
    fake.claims = [() => ({ kind: 'unknown' })];
    await expect((await start()).result()).rejects.toThrow(WorkflowFailedError);
    expect(fake.claimed).toHaveLength(1);
  });

  it('has neither address nor body in its history', async () => {
    fake.attempts = [() => failedUntil(inMs(10)), () => endedAs('delivered', 200)];
    const handle = await start();
    await handle.result();
    const text = await historyText(handle);
    expect(text).not.toMatch(/canary/);
    expect(text).toContain(DELIVERY.deliveryId);
  });
});
