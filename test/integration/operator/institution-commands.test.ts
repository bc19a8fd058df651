import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Context as ActivityContext } from '@temporalio/activity';
import { createCatalogActivities } from '../../../activities/catalog/catalog-activities.js';
import type { CatalogRequest, Provider } from '../../../providers/contract/provider.js';
import {
  lastSyncs,
  syncCatalogs,
} from '../../../apps/operator/src/commands/institutions/catalog-syncs.js';
import type { Service } from '../../../apps/operator/src/service.js';
import { CatalogSchedules } from '../../../apps/worker/src/schedules/catalog-schedules.js';
import { CatalogRepository } from '../../../prisma/sources/catalog/catalog.repository.js';
import { createContext, type Context } from '../../../prisma/base/context.js';
import { openDatabase } from '../../../prisma/base/database/database.js';
import { Sealer } from '../../../prisma/base/sealing/sealer.js';
import { failureOf } from '../../../activities/failures.js';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import {
  catalogSyncId,
  type CatalogSyncResult,
} from '../../../workflows/catalog-sync/catalog-sync.contract.js';
import { LINKS_QUEUE, providerQueue } from '../../../workflows/task-queues.js';
import { runCommand } from '../../support/actors/operator.js';
import { eventually } from '../../support/assertions/eventually.js';
import { NO_LOGOS } from '../../support/fixtures/no-logos.js';
import { listedInstitution } from '../../support/fixtures/listed-institution.js';
import { createTestDatabase, type TestDatabase } from '../../support/services/embedded-services.js';
import { TestTemporal } from '../../support/services/test-temporal.js';

let database: TestDatabase;
let ctx: Context;
let catalog: CatalogRepository;
let env: Record<string, string>;
beforeAll(async () => {
  database = await createTestDatabase();
  const key = randomBytes(32);
  ctx = createContext(
    openDatabase({ url: database.url, name: 'cli-tests', onError: () => undefined }),
    new Sealer([{ id: 'k1', key }]),
  );
  catalog = new CatalogRepository(ctx);
  env = { DATABASE_URL: database.url, MASTER_KEYS: `k1:${key.toString('base64')}` };
  const configuration = (name: string, over = {}) => ({
    name,
    adapter: 'banks',
    environment: 'live',
    settings: {},
    ...over,
  });
  await ctx.database.prisma.providerConfiguration.createMany({
    data: [
      configuration('north'),
      configuration('south'),
      configuration('off', { enabled: false }),
    ],
  });
  const jyske = listedInstitution({ domain: 'jyskebank.dk' });
  for (const [provider, entry] of [
    ['north', jyske],
    ['south', { ...jyske, remoteId: 'j b', name: 'JB' }],
  ] as const)
    await catalog.switchTo({
      provider,
      environment: 'live',
      entries: [entry],
      acceptLosses: false,
    });
});
afterAll(async () => {
  await ctx.database.close();
  await database.drop();
});

const run = (...args: string[]) => runCommand(['institutions', ...args], env);
const json = async (...args: string[]): Promise<unknown> => {
  const { status, stdout, stderr } = await run(...args, '--json');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout);
};

describe('tributary institutions', () => {
  it('lists doubts, joins and splits', async () => {
    expect(await json('doubts')).toEqual([
      {
        provider: 'south',
        remote_id: 'j b',
        name: 'JB',
        country: 'DK',
        institution_id: 'jb-dk',
        may_be: ['jyske-bank-dk'],
      },
    ]);
    expect((await run('doubts')).stdout).toMatch(/^provider +name +country/);
    expect(await json('join', 'south', 'j b', 'jyske-bank-dk')).toEqual({
      institution_id: 'jyske-bank-dk',
    });
    expect(await json('find', 'jyske-bank-dk')).toMatchObject([
      {
        institution_id: 'jyske-bank-dk',
        routes: ['north: remote (redirect)', 'south: j b (redirect)'],
      },
    ]);
    expect((await run('split', 'south', 'j b')).stdout).toBe('split: jb-dk-2\n');
    expect((await run('doubts')).stdout).toBe('(none)\n');
  });

  it('hides and shows an institution', async () => {
    expect((await run('hide', 'jyske-bank-dk')).stdout).toBe('hide: jyske-bank-dk\n');
    expect(await json('find', 'jyske-bank-dk')).toMatchObject([{ hidden: true }]);
    await run('unhide', 'jyske-bank-dk');
    expect(await json('find', 'jyske-bank-dk')).toMatchObject([{ hidden: false }]);
  });

  it.each([
    [['hide', 'no-bank'], 'There is no institution no-bank.\n'],
    [['join', 'north', 'x', 'jyske-bank-dk'], 'north never listed an institution "x".\n'],
    [['sync', 'no-such'], 'There is no configuration no-such.\n'],
    [['sync', 'off'], 'The configuration off is disabled or broken.\n'],
    [['sync', 'north'], 'This command needs the Temporal server: set TEMPORAL_ADDRESS.\n'],
  ])('%j fails with a complete sentence', async (args, stderr) => {
    expect(await run(...args)).toEqual({ status: 1, stdout: '', stderr });
  });
});

describe('The syncs that an operator sees', () => {
  let temporal: TestTemporal;
  const REFUSED: CatalogSyncResult = {
    kind: 'refused',
    listed: 1,
    known: 9,
    missing: 8,
    ignored: 2,
    unreadable: 3,
  };
  beforeAll(async () => {
    temporal = await TestTemporal.open();
    const results: Record<string, CatalogSyncResult> = {
      north: {
        kind: 'switched',
        listed: 4,
        added: 3,
        changed: 1,
        gone: 0,
        doubtful: 1,
        ignored: 0,
        unreadable: 5,
      },
      south: REFUSED,
    };
    await temporal.startWorkers([
      { taskQueue: LINKS_QUEUE, activities: {} },
      ...Object.entries(results).map(([name, result]) => ({
        taskQueue: providerQueue(name),
        activities: { syncCatalog: async () => result },
        withoutWorkflows: true,
      })),
    ]);
  });
  afterAll(() => temporal.close());

  it('are those of every configuration in use, with counts and refusals', async () => {
    const service = { catalog, temporal: async () => temporal.client } as unknown as Service;
    const north = {
      provider: 'north',
      result: 'switched',
      listed: 4,
      added: 3,
      changed: 1,
      gone: 0,
      doubtful: 1,
      ignored: 0,
      unreadable: 5,
    };
    const lines: string[] = [];
    const options = { acceptLosses: false, report: (line: string) => lines.push(line) };
    expect(await syncCatalogs(service, 'north', options)).toEqual([north]);
    expect(lines.at(-1)).toBe('north: switched');
    expect(await syncCatalogs(service, undefined, options)).toEqual([
      north,
      {
        provider: 'south',
        result: 'refused: 8 of 9 known institutions are missing',
        listed: 1,
        added: null,
        changed: null,
        gone: null,
        doubtful: null,
        ignored: 2,
        unreadable: 3,
      },
    ]);
    expect(await lastSyncs(service)).toMatchObject([
      { provider: 'north', listed: 1, result: 'switched' },
      { provider: 'south', listed: 1, result: 'refused: 8 of 9 known institutions are missing' },
    ]);
    await new CatalogSchedules({
      client: temporal.client,
      names: () => catalog.configurations(),
    }).ensure();
    await eventually(async () => {
      expect(await lastSyncs(service)).toMatchObject([
        { provider: 'north', result: 'switched', last_sync: expect.stringMatching(/Z$/) },
        { provider: 'south', result: 'refused: 8 of 9 known institutions are missing' },
      ]);
    });
  });

  it('finish separately: with twelve configurations, an unavailable one is named with its cause and its next attempt, and the others complete', async () => {
    const names = Array.from({ length: 11 }, (_, index) => `bank-${index}`);
    await temporal.startWorkers([
      ...names.map((name) => ({
        taskQueue: providerQueue(name),
        activities: { syncCatalog: async () => REFUSED },
        withoutWorkflows: true,
      })),
      {
        taskQueue: providerQueue('away'),
        activities: {
          syncCatalog: async () => {
            throw failureOf(new ProviderFailure('provider_down', 'canary-remote-text'));
          },
        },
        withoutWorkflows: true,
      },
    ]);
    const service = {
      catalog: {
        configurations: async () => [...names, 'away'],
        counts: async () => [],
      },
      temporal: async () => temporal.client,
    } as unknown as Service;
    const lines: string[] = [];
    const warnings: string[] = [];
    const warn = ({ name }: Error) => warnings.push(name);
    process.on('warning', warn);
    const synced = await syncCatalogs(service, undefined, {
      acceptLosses: false,
      report: (line) => lines.push(line),
      patience: { waitMs: 60_000, idleMs: 5_000, everyMs: 20 },
    });
    process.off('warning', warn);
    const FAILING =
      /^failing: The data provider is not reachable at the moment\. (Next try at \d{4}-.+Z|It is being tried again)\.$/;
    expect(synced.map(({ provider, result }) => [provider, result])).toEqual([
      ...names.map((name) => [name, 'refused: 8 of 9 known institutions are missing']),
      ['away', expect.stringMatching(FAILING)],
    ]);
    expect(lines.filter((line) => line.startsWith('away: failing'))).not.toEqual([]);
    expect(lines.join()).not.toContain('canary');
    expect(warnings).toEqual([]);
    expect((await lastSyncs(service)).find(({ provider }) => provider === 'away')).toMatchObject({
      result: expect.stringMatching(FAILING),
    });
    await temporal.client.workflow.getHandle(catalogSyncId('away')).terminate();
  });
});

describe('A sync whose provider falls silent', () => {
  let temporal: TestTemporal;
  beforeAll(async () => {
    temporal = await TestTemporal.open();
  });
  afterAll(() => temporal.close());

  it('is left after a while and named, while those that make progress are followed to their ends', async () => {
    const lines: string[] = [];
    const said = (text: string) => lines.some((line) => line.startsWith(text));
    const heartbeat = (read: number) =>
      ActivityContext.current().heartbeat({ read, isComplete: false });
    const halfList = {
      async *listInstitutions({ signal }: CatalogRequest) {
        yield Array.from({ length: 7 }, () => listedInstitution());
        await setTimeout(600_000, null, { signal });
      },
    };
    const acts = {
      // Progresses for as long as the others are watched.
      steady: async () => {
        for (let read = 1; !said('silent: silent') || !said('stuck: silent'); read += 1) {
          heartbeat(read);
          await setTimeout(20);
        }
        return { kind: 'no_configuration' };
      },
      silent: () =>
        setTimeout(600_000, null, { signal: ActivityContext.current().cancellationSignal }),
      // The activity of the service, at a source that sends a page and then nothing.
      stuck: createCatalogActivities({
        catalog: {
          environmentOf: async () => 'live',
          switchTo: () => Promise.reject(new Error('nothing was read completely')),
        },
        providers: { get: () => halfList as unknown as Provider },
        logos: NO_LOGOS,
      }).syncCatalog,
    };
    const names = Object.keys(acts);
    await temporal.startWorkers([
      { taskQueue: LINKS_QUEUE, activities: {} },
      ...Object.entries(acts).map(([name, syncCatalog]) => ({
        taskQueue: providerQueue(name),
        activities: { syncCatalog },
        withoutWorkflows: true,
      })),
    ]);
    const service = {
      catalog: { configurations: async () => names },
      temporal: async () => temporal.client,
    } as unknown as Service;
    const synced = await syncCatalogs(service, undefined, {
      acceptLosses: false,
      report: (line) => lines.push(line),
      patience: { waitMs: 600_000, idleMs: 5_000, everyMs: 20 },
    });
    expect(Object.fromEntries(synced.map(({ provider, result }) => [provider, result]))).toEqual({
      steady: 'no configuration',
      silent: 'silent: nothing arrived for 5 s after 0 institutions. The sync continues.',
      stuck: 'silent: nothing arrived for 5 s after 7 institutions. The sync continues.',
    });
    expect(lines).toContain('stuck: reading the list: 7 institutions so far');
    for (const name of ['silent', 'stuck'])
      await temporal.client.workflow.getHandle(catalogSyncId(name)).terminate();
  });
});

describe('The doubts about entries', () => {
  const lake = (remoteId: string, name: string) =>
    listedInstitution({ remoteId, name, domain: 'lakebank.dk' });
  const doubtful = async () =>
    ((await json('doubts')) as { remote_id: string; may_be: string[] }[])
      .filter(({ remote_id: id }) => id.startsWith('lake-'))
      .map(({ remote_id: id, may_be: others }) => [id, others]);

  beforeAll(async () => {
    for (const [provider, entries] of [
      ['east', [lake('lake-e', 'Lake Bank')]],
      ['west', [lake('lake-1', 'Sea Union'), lake('lake-2', 'Harbor Trust')]],
    ] as const)
      await catalog.switchTo({ provider, environment: 'live', entries, acceptLosses: false });
  });

  it('end with a join that takes the position they could have had, and return with its split', async () => {
    const both = [
      ['lake-2', ['lake-bank-dk']],
      ['lake-1', ['lake-bank-dk']],
    ];
    expect(await doubtful()).toEqual(both);
    await json('join', 'west', 'lake-1', 'lake-bank-dk');
    expect(await doubtful()).toEqual([]);
    expect(await catalog.counts()).toContainEqual(
      expect.objectContaining({ provider: 'west', doubtful: 0 }),
    );
    await json('split', 'west', 'lake-1');
    expect(await doubtful()).toEqual(both.slice(0, 1));
  });

  it('end with a join of the other entry', async () => {
    await json('join', 'east', 'lake-e', 'harbor-trust-dk');
    expect(await doubtful()).toEqual([]);
  });
});
