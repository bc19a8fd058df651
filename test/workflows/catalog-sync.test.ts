import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { createCatalogActivities } from '../../activities/catalog/catalog-activities.js';
import { translateFailures } from '../../activities/failures.js';
import type { UnreadableAnswer } from '../../activities/source-faults.js';
import { CatalogSchedules } from '../../apps/worker/src/schedules/catalog-schedules.js';
import { ProviderFailure } from '../../domain/errors/provider-failure.js';
import type { ListedInstitution } from '../../domain/institutions/listed-institution.js';
import type {
  CatalogInstitution,
  CatalogRequest,
  Provider,
  SourceFault,
} from '../../providers/contract/provider.js';
import {
  CATALOG_SYNC_WORKFLOW,
  catalogSyncId,
  catalogSyncStartOptions,
} from '../../workflows/catalog-sync/catalog-sync.contract.js';
import { LINKS_QUEUE, providerQueue } from '../../workflows/task-queues.js';
import { NO_LOGOS } from '../support/fixtures/no-logos.js';
import { eventually } from '../support/assertions/eventually.js';
import {
  failedTasks,
  historyText,
  recordStory,
  TestTemporal,
} from '../support/services/test-temporal.js';
import { PASSES } from './support/passes.js';

const bank = (remoteId: string): CatalogInstitution => ({
  remoteId,
  name: `Canary ${remoteId}`,
  country: 'DE',
  url: `https://${remoteId}.example`,
  bic: null,
  routingNumbers: [],
  logoUrl: null,
  color: null,
  login: 'redirect',
  products: ['accounts'],
  otherNames: [],
  health: null,
});

/** A source whose list the test controls, and the stored result. */
class FakeSource {
  pages: CatalogInstitution[][] = [[bank('one'), bank('two')], [bank('three')]];
  /** Thrown by the next lists, one each. */
  failures: Error[] = [];
  refuses = false;
  isKnown = true;
  /** Waits for the end of the signal after the first page. */
  hangs = false;
  aborted = 0;
  stored: ListedInstitution[][] = [];
  /** Noted by each list. */
  faults: SourceFault[] = [];
  reported: UnreadableAnswer[] = [];

  readonly provider: Pick<Provider, 'institutions' | 'listInstitutions'> = {
    institutions: () => [],
    listInstitutions: (request) => this.list(request),
  };

  readonly activities = createCatalogActivities({
    observeFaults: (answer) => void this.reported.push(answer),
    providers: { get: () => this.provider as Provider },
    logos: NO_LOGOS,
    catalog: {
      environmentOf: async () => (this.isKnown ? 'live' : null),
      switchTo: async ({ entries, acceptLosses }) => {
        if (this.refuses && !acceptLosses)
          return { kind: 'refused', listed: entries.length, known: 10, missing: 8 };
        this.stored.push([...entries]);
        return {
          kind: 'switched',
          listed: entries.length,
          added: entries.length,
          changed: 0,
          gone: 0,
          doubtful: 0,
        };
      },
    },
  });

  private async *list({ note, signal }: CatalogRequest): AsyncIterable<CatalogInstitution[]> {
    for (const fault of this.faults) note(fault);
    const failure = this.failures.shift();
    for (const page of this.pages) {
      yield page;
      if (failure !== undefined) throw failure;
      if (!this.hangs) continue;
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          this.aborted += 1;
          reject(new Error('aborted'));
        });
      });
    }
  }
}

describe.each(PASSES)('catalogSync, %s', (pass, maxCachedWorkflows) => {
  let temporal: TestTemporal;
  let source: FakeSource;
  const handles: WorkflowHandle[] = [];
  const CONFIGURATION = 'banks-eu';
  beforeAll(async () => {
    temporal = await TestTemporal.open();
    source = new FakeSource();
    const activities = translateFailures(source.activities, {
      report: () => undefined,
      isTemporary: () => false,
    });
    await temporal.startWorkers(
      [
        { taskQueue: LINKS_QUEUE, activities: {} },
        { taskQueue: providerQueue(CONFIGURATION), activities, withoutWorkflows: true },
      ],
      { maxCachedWorkflows },
    );
  });
  afterAll(() => temporal.close());

  async function begin({ acceptLosses = false } = {}): Promise<WorkflowHandle> {
    const handle = await temporal.client.workflow.start(CATALOG_SYNC_WORKFLOW, {
      ...catalogSyncStartOptions({ configuration: CONFIGURATION, acceptLosses }),
      workflowId: catalogSyncId(randomUUID()),
    });
    handles.push(handle);
    return handle;
  }
  const record = async (handle: WorkflowHandle, story: string) => {
    if (pass === 'with its cache') await recordStory(handle, 'catalog-sync', story);
  };

  it('reads every page, then switches once, and reports counts', async () => {
    const handle = await begin();
    expect(await handle.result()).toEqual({
      kind: 'switched',
      listed: 3,
      added: 3,
      changed: 0,
      gone: 0,
      doubtful: 0,
      ignored: 0,
      unreadable: 0,
    });
    expect(source.stored.map((entries) => entries.map(({ domain }) => domain))).toEqual([
      ['one.example', 'two.example', 'three.example'],
    ]);
    await record(handle, 'switched');
  });

  it('leaves out and counts entries that cannot be used', async () => {
    const pages = source.pages;
    source.pages = [[bank('one'), { ...bank('swiss'), country: 'CH' }, { ...bank('x'), name: '' }]];
    expect(await (await begin()).result()).toMatchObject({ listed: 1, ignored: 2 });
    source.pages = pages;
  });

  it('counts entries that the adapter could not read, and reports their places without a link', async () => {
    const fault = { account: null, resource: 'aspsp', field: 'name', reason: 'missing' } as const;
    source.faults = [
      { scope: 'institution', ...fault },
      { scope: 'institution', ...fault },
      { scope: 'value', ...fault, field: 'bic' },
    ];
    expect(await (await begin()).result()).toMatchObject({ listed: 3, unreadable: 2 });
    source.faults = [];
    expect(source.reported).toMatchObject([
      {
        linkId: null,
        operation: 'catalog',
        faults: [
          { scope: 'institution', resource: 'aspsp', field: 'name', count: 2 },
          { scope: 'value', resource: 'aspsp', field: 'bic', count: 1 },
        ],
      },
    ]);
  });

  it('reports a list of which nothing can be read', async () => {
    source.reported = [];
    source.failures = [new ProviderFailure('malformed', 'It is not JSON.')];
    expect(await (await begin()).result()).toMatchObject({ listed: 3 });
    expect(source.reported).toMatchObject([
      { operation: 'catalog', faults: [{ scope: 'answer' }] },
    ]);
  });

  it('ends with the refusal in its result, and switches when losses are accepted', async () => {
    source.refuses = true;
    const handle = await begin();
    expect(await handle.result()).toMatchObject({ kind: 'refused', known: 10, missing: 8 });
    expect(await (await begin({ acceptLosses: true })).result()).toMatchObject({
      kind: 'switched',
    });
    source.refuses = false;
  });

  it('stores nothing of a list that breaks off, and fails with the cause', async () => {
    const before = source.stored.length;
    source.failures = [new ProviderFailure('consent_expired', 'canary')];
    const handle = await begin();
    await expect(handle.result()).rejects.toThrow();
    expect(source.stored).toHaveLength(before);
  });

  it('ends without effect when the configuration has been removed', async () => {
    source.isKnown = false;
    const handle = await begin();
    expect(await handle.result()).toEqual({ kind: 'no_configuration' });
    source.isKnown = true;
  });

  it('stops reading when it is canceled, and stores nothing', async () => {
    const before = source.stored.length;
    source.hangs = true;
    const aborted = source.aborted;
    const handle = await begin();
    await eventually(async () => {
      const { raw } = await handle.describe();
      expect(raw.pendingActivities?.[0]?.lastHeartbeatTime).toBeTruthy();
    });
    await handle.cancel();
    await expect(handle.result()).rejects.toThrow();
    await eventually(() => {
      expect(source.aborted).toBe(aborted + 1);
    });
    source.hangs = false;
    expect(source.stored).toHaveLength(before);
    await record(handle, 'cancelled');
  });

  it('has no institution in its history and replays deterministically', async () => {
    expect(handles.length).toBeGreaterThan(5);
    expect((await Promise.all(handles.map(failedTasks))).flat()).toEqual([]);
    for (const handle of handles) expect(await historyText(handle)).not.toMatch(/canary/i);
  });
});

describe('The Schedules of catalogSync on a real server', () => {
  let temporal: TestTemporal;
  const source = new FakeSource();
  beforeAll(async () => {
    temporal = await TestTemporal.open();
    await temporal.startWorkers([
      { taskQueue: LINKS_QUEUE, activities: {} },
      { taskQueue: providerQueue('first'), activities: source.activities, withoutWorkflows: true },
    ]);
  });
  afterAll(() => temporal.close());

  it('follow the configurations in use, and a new one syncs at once', async () => {
    let names = ['first', 'second'];
    const schedules = () =>
      new CatalogSchedules({ client: temporal.client, names: async () => names });
    const ids = async () => {
      const found: string[] = [];
      for await (const { scheduleId } of temporal.client.schedule.list()) found.push(scheduleId);
      return found.sort();
    };
    const made = await Promise.all([schedules().ensure(), schedules().ensure()]);
    expect(made[0] + made[1]).toBe(2);
    await eventually(() => {
      expect(source.stored).toHaveLength(1);
    });
    await eventually(async () => {
      expect(await ids()).toEqual(['catalog-sync/first', 'catalog-sync/second']);
    });
    names = ['first'];
    expect(await schedules().ensure()).toBe(0);
    await eventually(async () => {
      expect(await ids()).toEqual(['catalog-sync/first']);
    });
  });
});
