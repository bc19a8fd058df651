import { msToTs } from '@temporalio/common/lib/time.js';
import { AppBackEnd, ConnectVisit } from '../support/actors/link-journey.js';
import { eventually } from '../support/assertions/eventually.js';
import type { KeyPair } from '../support/services/standalone.js';
import { SEARCH_ATTRIBUTE_TYPES } from '../../workflows/search-attribute-types.contract.js';
import { FaultyService } from './support/faulty-service.js';

const TEXT = 1;
const KEYWORD = 2;
const KEYWORDS = Object.keys(SEARCH_ATTRIBUTE_TYPES).filter((name) => name !== 'Products');

let service: FaultyService;

beforeAll(async () => {
  service = await FaultyService.open();
  // Two keys that these processes do not have: one under the id of theirs, and one that sealed a row.
  const { other, old } = service.keys;
  await service.operate(['apps', 'list'], `${other},${old}`);
  await service.query(
    `INSERT INTO data_keys (owner, master_key_id, wrapped) VALUES ('test/1', 'old', '\\x00')`,
  );
  await service.query('UPDATE _prisma_migrations SET finished_at = NULL');
  service.postgres.set('cut');
  service.temporal.set('cut');
  await service.start();
});
afterAll(() => service?.close());

const registerNamespace = () =>
  service.connection.workflowService.registerNamespace({
    namespace: service.namespace,
    workflowExecutionRetentionPeriod: msToTs('1 day'),
  });
const addAttributes = (names: readonly string[], type: number) =>
  eventually(() =>
    service.connection.operatorService.addSearchAttributes({
      namespace: service.namespace,
      searchAttributes: Object.fromEntries(names.map((name) => [name, type])),
    }),
  );
const removeAttribute = (name: string) =>
  service.connection.operatorService.removeSearchAttributes({
    namespace: service.namespace,
    searchAttributes: [name],
  });

interface Fault {
  fault: string;
  part: string;
  cause: RegExp;
  remedy: RegExp;
  /** Faults of the API, for which the worker can do nothing. */
  api: 503 | 200;
  repair: () => Promise<unknown>;
}

/** In this order, because each shows once the previous one is repaired. */
const FAULTS: readonly Fault[] = [
  {
    fault: 'PostgreSQL is unavailable',
    part: 'database',
    cause: /^The database does not respond: /,
    remedy: /Start PostgreSQL/,
    api: 503,
    repair: async () => service.postgres.set('open'),
  },
  {
    fault: 'the schema is behind',
    part: 'schema',
    cause: /lacks migrations of this version: \d{14}_initial(, \d{14}_\w+)*$/,
    remedy: /npm run migrate/,
    api: 503,
    repair: () => service.query('UPDATE _prisma_migrations SET finished_at = now()'),
  },
  {
    fault: 'MASTER_KEYS lacks a key that rows need',
    part: 'master_keys',
    cause: /lacks the key "old", which rows of data_keys still need/,
    remedy: /Add it again/,
    api: 503,
    repair: () => service.query(`DELETE FROM data_keys WHERE master_key_id = 'old'`),
  },
  {
    fault: 'another key has a known id',
    part: 'master_keys',
    cause: /different key under the id "k1"/,
    remedy: /Restore that key/,
    api: 503,
    repair: () => service.query(`DELETE FROM master_keys WHERE key_id = 'k1'`),
  },
  {
    fault: 'Temporal is unavailable',
    part: 'temporal',
    cause: /^The Temporal server at 127\.0\.0\.1:\d+ does not respond: /,
    remedy: /Start it/,
    api: 200,
    repair: async () => service.temporal.set('open'),
  },
  {
    fault: 'the namespace is missing',
    part: 'namespace',
    cause: /has no namespace "faulty-/,
    remedy: /"temporal setup"/,
    api: 200,
    repair: registerNamespace,
  },
  {
    fault: 'search attributes are missing',
    part: 'search_attributes',
    cause: /lacks search attributes: .*LinkId.*Products/,
    remedy: /"temporal setup"/,
    api: 200,
    // Below, where Connect is tested without them.
    repair: async () => undefined,
  },
];

const isShown = ({ part, cause, remedy }: Pick<Fault, 'part' | 'cause' | 'remedy'>) =>
  expect.objectContaining({
    part,
    cause: expect.stringMatching(cause),
    remedy: expect.stringMatching(remedy),
  });

describe('An API and a worker that start before their dependencies', () => {
  it.each(FAULTS)(
    'are not ready while $fault, report the cause and the remedy, and need no restart',
    async ({ part, cause, remedy, api, repair }) => {
      await eventually(async () => {
        expect(await service.workerReadiness()).toMatchObject({
          status: 503,
          body: { status: 'unavailable', parts: { [part]: 'down', workers: 'down' } },
        });
        expect(await service.apiReadiness()).toMatchObject({
          status: api,
          body: { status: api === 200 ? 'degraded' : 'unavailable', parts: { [part]: 'down' } },
        });
        for (const process of ['api', 'worker'] as const)
          expect(service.lines(process, 'health.part_down')).toContainEqual(
            isShown({ part, cause, remedy }),
          );
      });
      expect((await fetch(`${service.apiUrl}/health/live`)).status).toBe(200);
      await eventually(async () =>
        expect((await fetch(`${service.apiUrl}/links`)).status).toBe(api === 503 ? 503 : 401),
      );
      if (api === 503)
        expect(service.lines('api', 'http.unavailable')).toContainEqual(
          expect.objectContaining({ cause: expect.stringContaining('GET /health/ready') }),
        );
      await repair();
    },
  );

  it.each(['database_identity', 'schema', 'master_keys'])(
    'have logged that the part %s could not be checked while PostgreSQL was unavailable',
    (part) => {
      const cause = /^It cannot be checked while the database does not respond$/;
      for (const process of ['api', 'worker'] as const)
        expect(service.lines(process, 'health.part_down')).toContainEqual(
          isShown({ part, cause, remedy: /the part "database"$/ }),
        );
    },
  );

  it('log which search attribute makes Connect return 503', async () => {
    const created = await service.operate(['apps', 'create', '--name', 'Test', '--json']);
    const { sandbox } = JSON.parse(created.stdout) as { sandbox: KeyPair };
    const app = new AppBackEnd(service.apiUrl, sandbox);
    const { link_session_token: token } = await eventually(() => app.createSession());
    expect((await ConnectVisit.openCall(service.apiUrl, token)).status).toBe(503);
    expect(service.lines('api', 'http.unavailable')).toContainEqual(
      expect.objectContaining({ cause: expect.stringMatching(/search attribute/i) }),
    );
  });

  it('name a search attribute of another type, and are ready after temporal setup', async () => {
    await addAttributes(KEYWORDS, KEYWORD);
    await addAttributes(['Products'], TEXT);
    await eventually(() =>
      expect(service.lines('worker', 'health.part_down')).toContainEqual(
        isShown({
          part: 'search_attributes',
          cause: /of another type: Products \(Text, must be KeywordList\)$/,
          remedy: /Remove those/,
        }),
      ),
    );
    const refused = await service.operate(['temporal', 'setup']);
    expect(refused).toMatchObject({ status: 1, stdout: '' });
    expect(refused.stderr).toContain('Products (Text, must be KeywordList)');
    expect(service.lines('worker', 'temporal.workers_running')).toEqual([]);

    await removeAttribute('Products');
    const checked = await service.operate(['temporal', 'setup', '--check']);
    expect(checked).toMatchObject({
      status: 1,
      stdout: 'Search attributes are missing: Products (KeywordList).\n',
      stderr: 'Run "temporal setup".\n',
    });
    expect((await service.operate(['temporal', 'setup'])).stdout).toContain(
      'Added search attributes: Products (KeywordList).',
    );
    await eventually(async () => {
      const everyPart = { database: 'up', namespace: 'up', search_attributes: 'up', schema: 'up' };
      for (const readiness of [await service.workerReadiness(), await service.apiReadiness()])
        expect(readiness).toMatchObject({
          status: 200,
          body: { status: 'ready', parts: { ...everyPart, master_keys: 'up', temporal: 'up' } },
        });
    });
    expect(service.lines('worker', 'temporal.workers_running')).toHaveLength(1);
  });

  it('notice a search attribute that is removed later, and its return', async () => {
    await removeAttribute('LinkState');
    await eventually(async () => {
      expect(await service.workerReadiness()).toMatchObject({ status: 503 });
      expect(await service.apiReadiness()).toMatchObject({
        status: 200,
        body: { status: 'degraded', parts: { search_attributes: 'down' } },
      });
    });
    await addAttributes(['LinkState'], KEYWORD);
    await eventually(async () => {
      expect(await service.workerReadiness()).toMatchObject({ status: 200 });
      expect(await service.apiReadiness()).toMatchObject({ body: { status: 'ready' } });
    });
  });
});

describe('temporal setup', () => {
  it('creates namespace and search attributes once, and checks them without a change', async () => {
    const another = await FaultyService.open();
    try {
      const missing = await another.operate(['temporal', 'setup', '--check', '--json']);
      expect(missing.status).toBe(1);
      expect(JSON.parse(missing.stdout)).toMatchObject({
        namespace: another.namespace,
        exists: false,
        missing: expect.arrayContaining(['LinkId', 'Products']),
      });
      expect(JSON.parse((await another.operate(['temporal', 'setup', '--json'])).stdout)).toEqual({
        namespace: another.namespace,
        made: true,
        added: expect.arrayContaining(['LinkId', 'Products']),
      });
      const { config } = await another.connection.workflowService.describeNamespace({
        namespace: another.namespace,
      });
      expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(3 * 86_400);
      expect(JSON.parse((await another.operate(['temporal', 'setup', '--json'])).stdout)).toEqual({
        namespace: another.namespace,
        made: false,
        added: [],
      });
      expect(await another.operate(['temporal', 'setup', '--check'])).toMatchObject({
        status: 0,
        stdout: `The namespace "${another.namespace}" and every search attribute are there.\n`,
      });
    } finally {
      await another.close();
    }
  });
});
