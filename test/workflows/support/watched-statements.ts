import pg from 'pg';
import { loadSql } from '../../../prisma/base/database/load-sql.js';

/** The database work of some code. */
export interface DatabaseWork {
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
export class WatchedStatements {
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
