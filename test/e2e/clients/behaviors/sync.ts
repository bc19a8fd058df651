import { DatabaseSync } from 'node:sqlite';
import { eventually } from '../../../support/assertions/eventually.js';
import { representatives } from '../../../support/runner/representatives.js';
import type { ClientDriver } from '../support/client-driver.js';
import type { Stage } from '../support/stage.js';
import type { Behavior } from './behavior.js';

const SIZE = 10;
/** While the first page arrives, while a later one does, and again at once. */
const KILLED_AT = representatives([1, 3, 2], (page) => page === 3);

interface Row {
  transaction_id: string;
  amount: number;
}

interface SyncCall {
  link_id: string;
  sqlite: string;
  size: number;
}

const routeOf = (linkId: string) => `GET /links/${linkId}/transactions/sync`;
const byId = (rows: Row[]) =>
  rows.toSorted((a, b) => a.transaction_id.localeCompare(b.transaction_id));

function opened<T>(file: string, use: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(file);
  try {
    return use(database);
  } finally {
    database.close();
  }
}

const storedRows = (file: string) =>
  opened(file, (database) =>
    byId(
      database
        .prepare('SELECT data FROM transactions')
        .all()
        .map(({ data }) => JSON.parse(String(data)) as Row),
    ),
  );

const listedRows = async ({ driver }: Stage, client: string, linkId: string) =>
  byId(
    await driver.result<Row[]>(
      'transactions.list',
      { path: [linkId], query: { start_date: '1900-01-01', size: 500 }, read: 'all' },
      client,
    ),
  );

async function freshDriver(stage: Stage): Promise<ClientDriver> {
  const driver = stage.another();
  await driver.result('new', stage.options);
  return driver;
}

/**
 * Walks in a process of its own that is killed while the page with this number is on its way: some
 * before it arrives, some while it is committed.
 * @returns the cursors that it requested
 */
async function killAtPage(stage: Stage, call: SyncCall, page: number): Promise<string[]> {
  const route = routeOf(call.link_id);
  const driver = await freshDriver(stage);
  let release = (): void => undefined;
  const hold = new Promise<void>((resolve) => {
    release = resolve;
  });
  const passed = Array.from({ length: page - 1 }, () => 'pass' as const);
  stage.gate.plan(route, ...passed, { hold: () => hold });
  void driver.call('transactions.syncInto', call);
  await eventually(() => expect(stage.gate.of(route)).toHaveLength(page));
  release();
  await driver.kill();
  return cursors(stage, call.link_id);
}

/** The cursors of the requests at the gate, in their order. */
const cursors = ({ gate }: Stage, linkId: string) =>
  gate
    .of(routeOf(linkId))
    .map(({ path }) => new URL(path, 'http://gate').searchParams.get('cursor') ?? '');

export const SYNC_BEHAVIORS: readonly Behavior[] = [
  [
    'keeps a copy that equals the list after a kill at any page, and repeats at most one page for each',
    async (stage) => {
      const client = await stage.client();
      const linkId = await stage.link();
      const call = { link_id: linkId, sqlite: stage.file('killed.db'), size: SIZE };
      const requested: string[] = [];
      for (const page of KILLED_AT) requested.push(...(await killAtPage(stage, call, page)));
      stage.gate.reset();
      await stage.driver.result('transactions.syncInto', call, client);
      requested.push(...cursors(stage, linkId));

      expect(requested.length - new Set(requested).size).toBeLessThanOrEqual(KILLED_AT.length);
      const rows = storedRows(call.sqlite);
      expect(rows).toHaveLength(60);
      expect(rows).toEqual(await listedRows(stage, client, linkId));
    },
  ],
  [
    'applies what was created, changed and removed since its cursor',
    async (stage) => {
      const client = await stage.client();
      const linkId = await stage.link();
      const call = { link_id: linkId, sqlite: stage.file('changed.db'), size: 500 };
      const sync = () => stage.driver.result('transactions.syncInto', call, client);
      const run = (...script: object[]) =>
        stage.driver.result('sandbox.runScript', { path: [linkId], body: { script } }, client);
      await run(
        { verb: 'authorize', ref: 'coffee', amount: 4.5 },
        { verb: 'authorize', ref: 'gone', amount: 1 },
      );
      const none = { created: 0, updated: 0, removed: 0, pages: 1, restarted: false };
      expect(await sync()).toEqual({ ...none, created: 62 });
      await run(
        { verb: 'post', ref: 'coffee', amount: 5.25 },
        { verb: 'drop', ref: 'gone' },
        { verb: 'post', ref: 'new', amount: 0.1 },
      );
      expect(await sync()).toEqual({ ...none, created: 1, updated: 1, removed: 1 });
      expect(await sync()).toEqual(none);
      expect(storedRows(call.sqlite)).toEqual(await listedRows(stage, client, linkId));
    },
  ],
  [
    'walks again from the start when its cursor is refused, beside the old copy until it is complete',
    async (stage) => {
      const client = await stage.client();
      const [linkId, other] = [await stage.link(), await stage.link()];
      const call = { link_id: linkId, sqlite: stage.file('refused.db'), size: SIZE };
      const sync = (args: SyncCall) => stage.driver.result('transactions.syncInto', args, client);
      await sync(call);
      await sync({ ...call, link_id: other });
      // A cursor of another link, and a row that a restored service does not know.
      opened(call.sqlite, (database) => {
        database
          .prepare(
            'UPDATE sync_positions SET cursor = (SELECT cursor FROM sync_positions WHERE link_id = ?) WHERE link_id = ?',
          )
          .run(other, linkId);
        database
          .prepare(
            `INSERT INTO transactions VALUES (?, 'txn_unknown', '{"transaction_id":"txn_unknown"}')`,
          )
          .run(linkId);
        database.prepare('DELETE FROM transactions WHERE link_id = ?').run(other);
      });

      // The first request is refused, the second and the third one are pages of the new walk.
      await killAtPage(stage, call, 4);
      expect(storedRows(call.sqlite)).toHaveLength(61);

      const driver = await freshDriver(stage);
      expect(await driver.result('transactions.syncInto', call)).toMatchObject({
        restarted: false,
      });
      await driver.end();
      expect(storedRows(call.sqlite)).toEqual(await listedRows(stage, client, linkId));
      expect(await sync(call)).toMatchObject({ pages: 1, created: 0, restarted: false });
    },
  ],
  [
    'fails with the error of the service, and keeps what it has',
    async (stage) => {
      const client = await stage.client({ max_retries: 0 });
      const linkId = await stage.link();
      const call = { link_id: linkId, sqlite: stage.file('failed.db'), size: SIZE };
      stage.gate.plan(routeOf(linkId), 'pass', 'pass', { respond: 503 });
      expect(await stage.driver.refusal('transactions.syncInto', call, client)).toMatchObject({
        family: 'ServiceUnavailableError',
      });
      expect(storedRows(call.sqlite)).toHaveLength(2 * SIZE);
      expect(await stage.driver.result('transactions.syncInto', call, client)).toMatchObject({
        pages: 4,
        created: 40,
      });
    },
  ],
];
