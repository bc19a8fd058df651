import { readFileSync } from 'node:fs';
import { ProviderFailure } from '../../domain/errors/provider-failure.js';
import {
  PERIODIC_AGGREGATION_WORKFLOW,
  periodicAggregationAction,
} from '../../workflows/periodic-aggregation/periodic-aggregation.contract.js';
import {
  PRODUCT_REFRESH_WORKFLOW,
  productRefreshStartOptions,
} from '../../workflows/product-refresh/product-refresh.contract.js';
import { providerQueue, SANDBOX_LINKS_QUEUE } from '../../workflows/task-queues.js';
import {
  USER_ERASURE_WORKFLOW,
  userErasureStartOptions,
} from '../../workflows/user-erasure/user-erasure.contract.js';
import {
  WEBHOOK_DELIVERY_WORKFLOW,
  webhookDeliveryStartOptions,
} from '../../workflows/webhook-delivery/webhook-delivery.contract.js';
import { eventually } from '../support/assertions/eventually.js';
import { TestTemporal } from '../support/services/test-temporal.js';
import { asks, refuses } from './support/bank-behaviors.js';
import { createFakeActivities } from './support/fake-session-activities.js';
import { FAKE_PROVIDER, type FakeSession } from './support/fake-session.js';
import { SessionUser } from './support/session-user.js';

const PAGE = new URL('../../docs/operating/temporal-ui.md', import.meta.url);
const LINK = 'mk_asked_about';
const SCHEDULE = 'periodic-aggregation/0';
const MINUTE_MS = 60_000;

/** The queries below each question of the page, by its number. */
function queriesOfPage(): Map<number, string[]> {
  const questions = readFileSync(PAGE, 'utf8')
    .split(/^## (?=\d+\. )/m)
    .slice(1);
  return new Map(
    questions.map((text) => [
      Number.parseInt(text, 10),
      [...text.matchAll(/```visibility\n(.+?)\n```/gs)].map(([, query = '']) => query),
    ]),
  );
}

describe('The queries of docs/operating/temporal-ui.md', () => {
  const queries = queriesOfPage();
  let temporal: TestTemporal;
  const sessions = new Map<string, FakeSession>();
  let hanging: SessionUser;
  let refused: SessionUser;
  let tick: string;

  beforeAll(async () => {
    temporal = await TestTemporal.open();
    const { links, bank } = createFakeActivities(sessions);
    await temporal.startWorkers([
      { taskQueue: SANDBOX_LINKS_QUEUE, activities: links },
      { taskQueue: providerQueue(FAKE_PROVIDER), activities: bank, withoutWorkflows: true },
    ]);
    const choice = { kind: 'select_institution' as const, institution_id: 'fake-bank' };
    hanging = new SessionUser(temporal, sessions);
    hanging.row.bank = [() => asks('form')];
    refused = new SessionUser(temporal, sessions);
    refused.row.bank = [
      refuses('account_locked', (cause) => new ProviderFailure(cause, 'canary-remote-text')),
    ];
    for (const user of [hanging, refused]) {
      await user.open();
      await user.submit(choice);
    }

    // No worker serves the queue of Live here, so these stay unchanged.
    const { workflow, schedule } = temporal.client;
    const subject = {
      appId: 'demo',
      environment: 'live' as const,
      institutionId: 'fake-bank',
      provider: FAKE_PROVIDER,
      products: ['accounts' as const],
    };
    await workflow.signalWithStart(
      PRODUCT_REFRESH_WORKFLOW,
      productRefreshStartOptions({
        linkId: LINK,
        fetchRetryForMs: 1_000,
        fetchRetryForSandboxMs: 1_000,
        firstRetryMs: 100,
        subject,
      }),
    );
    await workflow.start(
      WEBHOOK_DELIVERY_WORKFLOW,
      webhookDeliveryStartOptions({
        deliveryId: 'whd_asked_about',
        endpointHost: 'app.example',
        webhookEvent: 'link.product_refresh',
        attemptTimeoutMs: 1_000,
        retryMs: 100,
        linkId: LINK,
        appId: 'demo',
        environment: 'live',
      }),
    );
    const erasure = await workflow.start(
      USER_ERASURE_WORKFLOW,
      userErasureStartOptions({ erasureId: 'terminated', firstWaitMs: 100, longestWaitMs: 100 }),
    );
    await erasure.terminate();
    const created = await schedule.create({
      scheduleId: SCHEDULE,
      spec: { intervals: [{ every: '1 day' }] },
      action: periodicAggregationAction({ shard: 0, shards: 1, batch: 10, maxRounds: 1 }),
      state: { triggerImmediately: true },
    });
    tick = await eventually(async () => {
      const [action] = (await created.describe()).info.recentActions;
      if (action?.action.type !== 'startWorkflow') throw new Error('not started yet');
      return action.action.workflow.workflowId;
    });
  });
  afterAll(() => temporal.close());

  /** The ids of the workflows that a query of the page finds. */
  async function found(query: string, values: Record<string, string>): Promise<string[]> {
    const filled = query.replaceAll(/\$([A-Z_]+)/g, (_, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`no value for $${name}`);
      return value;
    });
    const ids: string[] = [];
    for await (const { workflowId } of temporal.client.workflow.list({ query: filled }))
      ids.push(workflowId);
    return ids.sort();
  }

  /** Stands for "a while ago" when new workflows are to count as older, or as younger. */
  const soon = () => new Date(Date.now() + MINUTE_MS).toISOString();
  const before = () => new Date(Date.now() - 10 * MINUTE_MS).toISOString();
  const refresh = `product-refresh/${LINK}`;
  const delivery = 'webhook-delivery/whd_asked_about';
  const sessionOf = (user: SessionUser) => `link-session/${user.sessionId}`;

  const answers: [number, () => Record<string, string>, () => string[][]][] = [
    [1, () => ({ LINK }), () => [[refresh, delivery]]],
    [
      2,
      () => ({ INSTITUTION: 'fake-bank', TEN_MINUTES_AGO: soon() }),
      () => [[sessionOf(hanging), sessionOf(refused)]],
    ],
    [
      3,
      () => ({ ONE_HOUR_AGO: before() }),
      () => [[sessionOf(refused)], ['user-erasure/terminated']],
    ],
    [4, () => ({ ONE_HOUR_AGO: soon() }), () => [[refresh]]],
    [5, () => ({ WORKFLOW: refresh }), () => [[refresh]]],
    [6, () => ({ LINK, EVENT: 'link.product_refresh' }), () => [[delivery]]],
    [7, () => ({ SCHEDULE }), () => [[tick]]],
    [8, () => ({ ONE_HOUR_AGO: before() }), () => [[tick]]],
    [9, () => ({}), () => []],
    [
      10,
      () => ({ LINK, SESSION: hanging.sessionId }),
      () => [[refresh, delivery, sessionOf(hanging)]],
    ],
  ];

  it('belong to ten questions', () => {
    expect([...queries.keys()]).toEqual(answers.map(([question]) => question));
  });

  it.each(answers)(
    'find the workflows that question %i is about',
    async (question, values, ids) => {
      const asked = queries.get(question) ?? [];
      const expected = ids().map((list) => list.sort());
      expect(asked).toHaveLength(expected.length);
      await eventually(async () => {
        const lists = await Promise.all(asked.map((query) => found(query, values())));
        expect(lists).toEqual(expected);
      });
    },
  );

  it('do not find workflows that are younger or older than requested', async () => {
    const [hang = ''] = queries.get(2) ?? [];
    const [late = ''] = queries.get(4) ?? [];
    const [, failed = ''] = queries.get(3) ?? [];
    expect(await found(hang, { INSTITUTION: 'fake-bank', TEN_MINUTES_AGO: before() })).toEqual([]);
    expect(await found(late, { ONE_HOUR_AGO: before() })).toEqual([]);
    expect(await found(failed, { ONE_HOUR_AGO: soon() })).toEqual([]);
  });

  it('are about workflows that record who started them', async () => {
    const { events } = await temporal.client.workflow.getHandle(refresh).fetchHistory();
    expect(events?.[0]?.workflowExecutionStartedEventAttributes?.identity).toBe('test-client');
    const description = await temporal.client.workflow.getHandle(tick).describe();
    expect(description.type).toBe(PERIODIC_AGGREGATION_WORKFLOW);
  });
});
