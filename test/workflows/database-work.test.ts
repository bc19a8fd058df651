import { readFileSync } from 'node:fs';
import { Decimal } from 'decimal.js';
import { createFetchActivities } from '../../activities/refresh/fetch-activities.js';
import { createRefreshActivities } from '../../activities/refresh/refresh-activities.js';
import { sourceFactsOf } from '../../activities/refresh/source-facts.js';
import { addDays, utcDay } from '../../domain/api/timestamps.js';
import type { FetchedTransaction } from '../../domain/refresh/fetched-data.js';
import { DEFAULT_REFRESH_RULES } from '../../prisma/work/refresh/count-run.js';
import { DueLinkRepository } from '../../prisma/work/refresh/due-link.repository.js';
import { refreshSteps, type RefreshSteps } from '../support/fixtures/refresh-steps.js';
import type { Provider } from '../../providers/contract/provider.js';
import {
  PRODUCT_REFRESH_WORKFLOW,
  productRefreshStartOptions,
} from '../../workflows/product-refresh/product-refresh.contract.js';
import { LINKS_QUEUE, providerQueue } from '../../workflows/task-queues.js';
import { eventually } from '../support/assertions/eventually.js';
import { storePermittedLink, testProvider } from '../support/fixtures/fetching-link.js';
import { NO_SERVICES } from '../support/fixtures/link-services.js';
import {
  account,
  attemptOf,
  openStorage,
  row,
  type Storage,
  type StoredLink,
} from '../support/fixtures/stored-link.js';
import {
  connectedLink,
  startApiInProcess,
  type ApiInProcess,
} from '../support/services/api-in-process.js';
import { quietEnvironment } from '../support/fixtures/quiet-environment.js';
import { TestTemporal } from '../support/services/test-temporal.js';
import pg from 'pg';
import { loadSql } from '../../prisma/base/database/load-sql.js';

/** The database work of some code. */
interface DatabaseWork {
  /** Without BEGIN, COMMIT and ROLLBACK, and without notifications, which share statements after the COMMIT. */
  statements: number;
  /** The number of transactions that were started. */
  transactions: number;
  /** Rows inserted, updated and deleted, by table. */
  written: ReadonlyMap<string, number>;
  /**
   * The rows that any node of any plan returned or discarded: 500 rows joined with 500 one by one
   * are 250,000.
   */
  handled: number;
  /** The first lines of the statements, for the message of a test that fails. */
  texts: readonly string[];
}

interface Plan {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Parent Relationship'?: string;
  'Relation Name'?: string;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: Plan[];
}

type Query = (this: pg.Client, ...args: unknown[]) => unknown;
type Connected = (error: Error | null) => void;
type Connect = (this: pg.Client, done?: Connected) => Promise<void> | void;

/** As executed, with the plan that was chosen: `auto_explain` sends it to the connection of the statement. */
const EXPLAIN = `LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_analyze = on;
  SET auto_explain.log_timing = off; SET auto_explain.log_format = json; SET auto_explain.log_level = notice`;
/** Sent once on every new connection, before it is used. */
const FIND_IDENTITY = loadSql('find-identity');
const BRACKETS = new Set(['BEGIN', 'COMMIT', 'ROLLBACK']);

/**
 * Watches every statement that this process sends, on any connection that is opened from now on.
 */
class WatchedStatements {
  private readonly query = Reflect.get(pg.Client.prototype, 'query') as Query;
  private readonly connect = Reflect.get(pg.Client.prototype, 'connect') as Connect;
  private texts: string[] = [];
  private plans: Plan[] = [];

  constructor() {
    const { query, connect, explain, sees } = this;
    Reflect.set(pg.Client.prototype, 'connect', function (this: pg.Client, done?: Connected) {
      if (done === undefined) return Promise.resolve(connect.call(this)).then(() => explain(this));
      return connect.call(this, (error) =>
        error ? done(error) : void explain(this).then(() => done(null), done),
      );
    });
    Reflect.set(pg.Client.prototype, 'query', function (this: pg.Client, ...args: unknown[]) {
      sees(args[0]);
      return query.apply(this, args);
    });
  }

  stop(): void {
    Reflect.set(pg.Client.prototype, 'query', this.query);
    Reflect.set(pg.Client.prototype, 'connect', this.connect);
  }

  /**
   * Counts the statements of `work`, which must not leave any behind. Opening a connection is not
   * part of the work, because a pool opens one at any time.
   */
  async count(work: () => Promise<unknown>): Promise<DatabaseWork> {
    this.texts = [];
    this.plans = [];
    await work();
    const { texts, plans } = this;
    const written = new Map<string, number>();
    for (const plan of plans) addWritten(plan, written);
    return {
      statements: texts.filter((text) => !BRACKETS.has(text)).length,
      transactions: texts.filter((text) => text === 'BEGIN').length,
      written: new Map([...written].sort(([one], [other]) => (one < other ? -1 : 1))),
      handled: plans.reduce((sum, plan) => sum + handledBy(plan), 0),
      texts,
    };
  }

  private readonly explain = async (client: pg.Client): Promise<void> => {
    client.on('notice', ({ message = '' }) => {
      const json = /plan:\n(\{[^]*)$/.exec(message)?.[1];
      if (json !== undefined) this.plans.push((JSON.parse(json) as { Plan: Plan }).Plan);
    });
    await this.query.call(client, EXPLAIN);
  };

  private readonly sees = (query: unknown): void => {
    const text = typeof query === 'string' ? query : (query as { text?: string }).text;
    if (text !== undefined && text !== FIND_IDENTITY && !text.includes('pg_notify('))
      this.texts.push((text.trim().split('\n')[0] ?? '').slice(0, 100));
  };
}

/** The number of times that a node returned or discarded a row. */
function handledBy(plan: Plan): number {
  const each =
    plan['Actual Rows'] +
    (plan['Rows Removed by Filter'] ?? 0) +
    (plan['Rows Removed by Join Filter'] ?? 0);
  return (
    each * plan['Actual Loops'] + (plan.Plans ?? []).reduce((sum, part) => sum + handledBy(part), 0)
  );
}

function addWritten(plan: Plan, written: Map<string, number>): void {
  const { 'Relation Name': table, Plans: parts = [] } = plan;
  if (plan['Node Type'] === 'ModifyTable' && table !== undefined) {
    const rows = parts
      .filter((part) => part['Parent Relationship'] === 'Outer')
      .reduce((sum, part) => sum + part['Actual Rows'] * part['Actual Loops'], 0);
    if (rows > 0) written.set(table, (written.get(table) ?? 0) + rows);
  }
  for (const part of parts) addWritten(part, written);
}

const ROWS = 500;
const HOUR = 3_600_000;
/** Several counts, few of which meet other work of the API. */
const RARE_WORK_WITHIN_MS = 20_000;
const PAGE = new URL('../../docs/performance.md', import.meta.url);
const HEADING = 'Work of the database';

/** The table of docs/performance.md, by its first column. */
const [, ...sections] = readFileSync(PAGE, 'utf8').split('\n## ');
const expected = new Map(
  (sections.find((text) => text.startsWith(HEADING)) ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, what = '', ...cells]) => [what, cells] as const),
);

/** Fails with the line that the table would need. */
function expectAsInTable(what: string, { texts, ...work }: DatabaseWork): void {
  const [statements, transactions, written, handled = ''] = expected.get(what) ?? [];
  const most = Number(handled.replace(/,/g, ''));
  const rows = [...work.written].map(([table, count]) => `${count} \`${table}\``).join(', ');
  const isWithin = work.handled <= most;
  expect({
    what,
    statements: work.statements,
    transactions: work.transactions,
    written: rows === '' ? 'none' : rows,
    handled: isWithin ? 'within the limit' : `${work.handled}, more than ${handled}`,
    ...(isWithin && String(work.statements) === statements ? {} : { texts }),
  }).toEqual({
    what,
    statements: Number(statements),
    transactions: Number(transactions),
    written,
    handled: 'within the limit',
  });
}

const TODAY = utcDay(new Date());
const rowsOf = (change: (number: number) => number): FetchedTransaction[] =>
  Array.from({ length: ROWS }, (_, number) =>
    row(`row-${number}`, {
      amount: new Decimal(number).plus(change(number)).dividedBy(100),
      date: addDays(TODAY, -(number % 80)),
      description: `Shop ${number}`,
      rawDescription: `POS ${number} SHOP`,
      providerAccountId: number % 3 === 0 ? 'card' : 'checking',
    }),
  );

let watched: WatchedStatements;
beforeAll(() => {
  watched = new WatchedStatements();
});
afterAll(() => watched.stop());

describe('The database work listed in docs/performance.md', () => {
  describe('of the worker is unchanged', () => {
    let storage: Storage;
    let temporal: TestTemporal;
    let link: StoredLink;
    let change: (number: number) => number = () => 0;
    let balance = 2_350;
    const source: Provider = testProvider({
      fetchAccounts: () =>
        Promise.resolve({
          accounts: ['checking', 'card'].map((id) =>
            account(id, { current: new Decimal(balance) }),
          ),
          unreported: [],
        }),
      async *fetchTransactions() {
        yield { transactions: rowsOf(change) };
      },
    });
    const rules = { ...DEFAULT_REFRESH_RULES, sources: sourceFactsOf({ all: () => [source] }) };
    let refresh: RefreshSteps;
    let due: DueLinkRepository;
    let bank: ReturnType<typeof createFetchActivities>;

    beforeAll(async () => {
      storage = await openStorage();
      temporal = await TestTemporal.open();
      const { ctx } = storage;
      refresh = refreshSteps(ctx, rules);
      due = new DueLinkRepository(ctx, {
        intervals: { fast: 6 * HOUR, slow: 7 * 24 * HOUR },
        jitter: 0,
        spreadMs: 0,
        chance: () => 0,
      });
      bank = createFetchActivities({
        refresh,
        providers: { get: () => source },
        ...NO_SERVICES,
      });
      await temporal.startWorkers([
        { taskQueue: LINKS_QUEUE, activities: createRefreshActivities({ refresh }) },
        { taskQueue: providerQueue(source.name), activities: bank, withoutWorkflows: true },
      ]);
      link = await storePermittedLink(storage);
      await fetch();
    });
    afterAll(async () => {
      await temporal?.close();
      await storage?.close();
    });

    async function began() {
      await storage.ctx.database.transaction((tx) =>
        refresh.requestProducts(tx, link.pk, ['transactions'], 'scheduled'),
      );
      const run = await refresh.beginRun(link.linkId);
      const window = run?.products[0]?.window ?? null;
      return {
        linkId: link.linkId,
        product: 'transactions' as const,
        run: attemptOf(run, 'transactions'),
        window,
      };
    }
    async function fetch(): Promise<DatabaseWork> {
      const request = await began();
      return watched.count(() => quietEnvironment().run(bank.fetchProduct, request));
    }

    it('for a fetch of 500 unchanged rows', async () => {
      for (let times = 0; times < 8; times += 1) await fetch();
      expectAsInTable('a fetch of 500 unchanged rows', await fetch());
    });

    it('for a fetch of 500 rows, 50 of them changed', async () => {
      change = (number) => (number % 10 === 0 ? 1 : 0);
      expectAsInTable('a fetch of 500 rows, 50 of them changed', await fetch());
    });

    async function refreshOnSchedule(): Promise<DatabaseWork> {
      await storage.ctx.database.prisma.link.update({
        where: { pk: link.pk },
        data: {
          nextDueAt: new Date(Date.now() - 60_000),
          slowDueAt: new Date(Date.now() + 86_400_000),
        },
      });
      return watched.count(async () => {
        await due.dispatch({ shard: 0, shards: 1, limit: 10, now: new Date() });
        const handle = await temporal.client.workflow.signalWithStart(
          PRODUCT_REFRESH_WORKFLOW,
          productRefreshStartOptions({
            linkId: link.linkId,
            fetchRetryForMs: 60_000,
            fetchRetryForSandboxMs: 60_000,
            firstRetryMs: 50,
          }),
        );
        expect(await handle.result()).toEqual({ runs: 1 });
      });
    }

    it('for a scheduled refresh of accounts and transactions without a change', async () => {
      expectAsInTable(
        'a scheduled refresh of accounts and 500 rows, nothing changed',
        await refreshOnSchedule(),
      );
    });

    it('for a scheduled refresh in which both balances changed', async () => {
      balance += 1;
      expectAsInTable(
        'a scheduled refresh of accounts and 500 rows, both balances changed',
        await refreshOnSchedule(),
      );
    });
  });

  describe('of the API is unchanged', () => {
    let service: ApiInProcess;
    let token: string;
    let linkId: string;

    beforeAll(async () => {
      service = await startApiInProcess();
      token = await service.token('pocket-ledger');
      linkId = await connectedLink(service, token);
      const refresh = refreshSteps(service.ctx);
      const { pk } = await service.database.prisma.link.findUniqueOrThrow({ where: { linkId } });
      await service.database.transaction((tx) =>
        refresh.requestProducts(tx, pk, ['transactions'], 'scheduled'),
      );
      const attempt = attemptOf(await refresh.beginRun(linkId), 'transactions');
      await refresh.storeTransactions(linkId, attempt, {
        transactions: rowsOf(() => 0).map((each) => ({ ...each, providerAccountId: 'checking' })),
        last: true,
        window: null,
        seenIds: [],
      });
    });
    afterAll(() => service?.close());

    it.each([
      ['a sync page of 500 rows', () => `/links/${linkId}/transactions/sync?size=500`],
      ['one link', () => `/links/${linkId}`],
      ['the accounts of a link', () => `/links/${linkId}/accounts`],
    ])('for %s', async (what, path) => {
      const read = async () => expect((await service.api.as(token).get(path())).status).toBe(200);
      // A busy machine may need more time than the API caches the token, and the API may look at its
      // keys in the meantime.
      await eventually(
        async () => {
          await read();
          expectAsInTable(what, await watched.count(read));
        },
        { within: RARE_WORK_WITHIN_MS },
      );
    });
  });
});
