import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { ProviderFailure } from '../../domain/errors/provider-failure.js';
import { productRefreshWorkflowId } from '../../workflows/product-refresh/product-refresh.contract.js';
import { eventually } from '../support/assertions/eventually.js';
import { FETCH_PROVIDER, stored } from './support/fake-refresh.js';
import { detailsOf } from '../support/services/test-temporal.js';

import { describeRefreshes, failing, heldBack } from './support/refresh-stage.js';
import { testRetries } from './product-refresh-retries.js';
import { differencesOf } from './support/replay-live.js';

describeRefreshes((stage) => {
  const { newLink, request, resultOf, record } = stage;

  /** The lengths of the histories from this execution to the last one that followed it. */
  async function executionsOf(
    workflowId: string,
    firstRunId: string,
  ): Promise<{ events: number }[]> {
    const executions = [];
    for (let runId: string | null | undefined = firstRunId; runId;) {
      const { events } = await stage.temporal.client.workflow
        .getHandle(workflowId, runId)
        .fetchHistory();
      executions.push({ events: events?.length ?? 0 });
      runId = events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
    }
    return executions;
  }

  it('fetches accounts, then the other products, and finishes the run', async () => {
    const link = newLink('transactions', 'accounts');
    const handle = await request(link);
    expect(await resultOf(handle)).toEqual({ runs: 1 });
    expect(link.calls).toEqual([
      'beginRun',
      'fetch accounts',
      'fetch transactions',
      'finish with success',
    ]);
    expect((await handle.describe()).searchAttributes).toMatchObject({
      LinkId: [link.linkId],
      AppId: ['demo'],
      Environment: ['sandbox'],
      InstitutionId: ['fake-bank'],
      Provider: [FETCH_PROVIDER],
      Products: ['transactions', 'accounts'],
    });
    expect(handle.workflowId).toBe(`product-refresh/${link.linkId}`);
    await record(handle, 'two-products');
  });

  const SUBJECT = {
    appId: 'demo',
    environment: 'live' as const,
    institutionId: 'fake-bank',
    provider: FETCH_PROVIDER,
  };
  /** The search attributes that the workflow changed, one list for each upsert. */
  async function upsertsOf(handle: WorkflowHandle): Promise<string[][]> {
    const { events } = await handle.fetchHistory();
    return (events ?? []).flatMap(({ upsertWorkflowSearchAttributesEventAttributes: upsert }) =>
      upsert ? [Object.keys(upsert.searchAttributes?.indexedFields ?? {}).sort()] : [],
    );
  }

  it('changes no search attribute when its run finds the values that its start announced', async () => {
    const link = newLink('transactions', 'accounts');
    link.environment = 'live';
    const subject = { ...SUBJECT, products: ['accounts' as const, 'transactions' as const] };
    const handle = await request(link, {}, subject);
    expect(await resultOf(handle)).toEqual({ runs: 1 });
    expect(await upsertsOf(handle)).toEqual([]);
    expect((await handle.describe()).searchAttributes).toMatchObject({
      LinkId: [link.linkId],
      AppId: ['demo'],
      Environment: ['live'],
      InstitutionId: ['fake-bank'],
      Provider: [FETCH_PROVIDER],
      Products: ['accounts', 'transactions'],
    });
  });

  it('writes 20 events for two products, with three tasks, two fetches and two steps of the database', async () => {
    const link = newLink('accounts', 'transactions');
    link.environment = 'live';
    const handle = await request(link, {}, { ...SUBJECT, products: ['accounts', 'transactions'] });
    await resultOf(handle);
    const { events = [] } = await handle.fetchHistory();
    const count = (kind: keyof Exclude<typeof events, null>[number]) =>
      (events ?? []).filter((event) => event[kind]).length;
    expect({
      events: events?.length,
      tasks: count('workflowTaskCompletedEventAttributes'),
      fetches: count('activityTaskScheduledEventAttributes'),
      databaseSteps: count('markerRecordedEventAttributes'),
      upserts: count('upsertWorkflowSearchAttributesEventAttributes'),
    }).toEqual({ events: 20, tasks: 3, fetches: 2, databaseSteps: 2, upserts: 0 });
  });

  it('changes only the search attributes that its run finds different from its start', async () => {
    const link = newLink('transactions', 'accounts');
    link.environment = 'live';
    const subject = { ...SUBJECT, provider: 'former', products: ['accounts' as const] };
    const handle = await request(link, {}, subject);
    await resultOf(handle);
    expect(await upsertsOf(handle)).toEqual([['Products', 'Provider']]);
    expect((await handle.describe()).searchAttributes).toMatchObject({
      AppId: ['demo'],
      Provider: [FETCH_PROVIDER],
      Products: ['transactions', 'accounts'],
    });
  });

  it('shows operators which products it waits for, and why the last attempt of one failed', async () => {
    const link = newLink('accounts', 'transactions');
    link.environment = 'live';
    const hold = heldBack();
    link.bank = { accounts: [failing('institution_down'), stored], transactions: [hold.behavior] };
    const handle = await request(link, { firstRetryMs: 30_000 });
    await eventually(async () => {
      const details = await detailsOf(handle);
      expect(details).toContain(
        `Phase: \`fetching\`.\n\nAt \`fake-bank\` through \`${FETCH_PROVIDER}\`.`,
      );
      expect(details).toContain('`accounts`: `pausing`, `transactions`: `fetching`.');
      expect(details).toMatch(
        /Waits for \*\*the time of the next attempt for `accounts`\*\* since .+, until .+ at the latest\. Last error: The bank is not reachable at the moment\. \(`institution_down`\)/,
      );
      expect(details).toMatch(/Waits for \*\*`transactions`, attempt 1\*\* since .+, until/);
    });
    link.requests = ['accounts'];
    await request(link);
    hold.answer();
    await resultOf(handle);
    expect(await detailsOf(handle)).toBe(`At \`fake-bank\` through \`${FETCH_PROVIDER}\`.`);
  });

  it('completes without an event when no request waits', async () => {
    const link = newLink();
    const handle = await request(link);
    expect(await resultOf(handle)).toEqual({ runs: 0 });
    expect(link.calls).toEqual(['beginRun']);
  });

  it('adds requests made in the meantime to the run, and never runs twice at once', async () => {
    const link = newLink('transactions');
    const bank = heldBack();
    link.bank.transactions = [bank.behavior, stored];
    const handle = await request(link);
    await eventually(() => {
      expect(link.calls).toContain('fetch transactions');
    });
    link.requests.push('accounts', 'transactions');
    await request(link);
    await request(link);
    await eventually(() => {
      expect(link.calls).toContain('fetch accounts');
    });
    bank.answer();
    expect(await resultOf(handle)).toEqual({ runs: 1 });
    expect(link.maxRunsAtOnce).toBe(1);
    expect(link.calls.filter((call) => call.startsWith('fetch'))).toEqual([
      'fetch transactions',
      'fetch accounts',
    ]);

    link.requests.push('transactions');
    const next = await request(link);
    await resultOf(next);
    expect(link.run).toBe(2);
    await record(handle, 'requests-meanwhile');
  });

  it('fetches products again that were requested before the end of their fetch was recorded', async () => {
    const link = newLink('transactions');
    link.bank.transactions = [
      async () => {
        // Stored, and requested again, while the result of the activity is still in transit.
        link.inProgress.delete('transactions');
        link.requests.push('transactions');
        await request(link);
        await eventually(() => {
          expect(link.calls).toContain('joinRun');
        });
        return { kind: 'stored', created: 1, updated: 0, removed: 0 };
      },
      stored,
    ];
    const handle = await request(link);
    expect(await resultOf(handle)).toEqual({ runs: 1 });
    expect(link.calls.filter((call) => !call.startsWith('join'))).toEqual([
      'beginRun',
      'fetch transactions',
      'begin transactions',
      'fetch transactions',
      'finish with success',
    ]);
  });

  // Executions of fifty runs each are replayed by their history.
  if (stage.pass === 'with its cache') {
    it('serves every request of a link that is refreshed continuously, in executions of bounded length', async () => {
      const link = newLink('transactions');
      let requests = 1;
      link.bank.transactions = [
        async () => {
          // Each fetch is requested again before its end is known, so that the run itself never
          // ends.
          link.inProgress.delete('transactions');
          if (requests < 120) {
            requests += 1;
            link.requests.push('transactions');
            await request(link);
          }
          return { kind: 'stored', created: 1, updated: 0, removed: 0 };
        },
      ];
      const handle = await request(link);
      const firstRunId = (await handle.describe()).runId;
      await resultOf(handle);
      expect(link.requests).toEqual([]);
      expect(link.calls.filter((call) => call === 'fetch transactions')).toHaveLength(requests);
      expect(link.maxRunsAtOnce).toBe(1);
      const executions = await executionsOf(handle.workflowId, firstRunId);
      expect(executions.length).toBeGreaterThanOrEqual(3);
      for (const { events } of executions) expect(events).toBeLessThan(2_000);
      expect((await handle.describe()).searchAttributes).toMatchObject({
        LinkId: [link.linkId],
        Environment: ['sandbox'],
      });
    });
  }

  it('ends the run for every product when the permission is lost', async () => {
    const link = newLink('accounts', 'transactions', 'identity');
    const bank = heldBack();
    link.bank.accounts = [failing('not_supported')];
    link.bank.transactions = [bank.behavior];
    link.bank.identity = [
      async () => {
        await eventually(() => {
          expect(link.calls).toContain('fetch transactions');
        });
        throw new ProviderFailure('consent_expired', 'canary-remote-text');
      },
    ];
    const handle = await request(link);
    expect(await resultOf(handle)).toEqual({ runs: 1 });
    expect(link.calls.filter((call) => call.startsWith('fail'))).toEqual([
      'fail accounts not_supported',
      'fail identity consent_expired',
    ]);
    expect(link.calls.at(-1)).toBe('finish without success');
    await eventually(() => {
      expect(bank.canceled()).toBe(true);
    });
    await record(handle, 'permission-lost');
  });

  it('leaves nothing in progress when an operator cancels it', async () => {
    const link = newLink('accounts', 'transactions');
    const bank = heldBack();
    link.bank.accounts = [bank.behavior];
    const handle = await request(link);
    await eventually(() => {
      expect(link.calls).toContain('fetch accounts');
    });
    await handle.cancel();
    await expect(handle.result()).rejects.toBeInstanceOf(WorkflowFailedError);
    expect(link.inProgress.size).toBe(0);
    expect((await handle.describe()).status.name).toBe('CANCELLED');
    await record(handle, 'cancelled');
  });

  testRetries(stage);

  it('replays deterministically', async () => {
    const handles = [...stage.links.keys()].map((linkId) =>
      stage.temporal.client.workflow.getHandle(productRefreshWorkflowId(linkId)),
    );
    expect(handles.length).toBeGreaterThan(8);
    expect(await differencesOf(handles)).toEqual([]);
  });

  it('stops when a newer run has replaced it', async () => {
    const link = newLink('accounts');
    link.bank.accounts = [() => ({ kind: 'stale' })];
    await resultOf(await request(link));
    expect(link.calls).toEqual(['beginRun', 'fetch accounts', 'finish without success']);
  });
});
