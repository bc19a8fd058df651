import { loadSql } from './load-sql.js';

/** Runs a statement: a connection, or a transaction of one. */
export type RunStatement = <Row>(text: string, values?: unknown[]) => Promise<Row[]>;

/**
 * A difference from the database that the service has written to, or a standby, which accepts no
 * writes.
 */
export type Difference = 'server' | 'database' | 'timeline' | 'row' | 'standby';

export interface Identity {
  /** Strings, because the values exceed a JavaScript number. */
  systemIdentifier: string;
  databaseOid: string;
  /** Null: a standby. */
  timeline: string | null;
  /** Null: no process has written to this database yet. */
  differences: readonly Difference[] | null;
}

interface IdentityRow {
  system_identifier: string;
  database_oid: string;
  timeline: string | null;
  is_known: boolean;
  same_server: boolean;
  same_database: boolean;
  same_timeline: boolean | null;
  same_row: boolean;
}

const CAUSES: Record<Difference, string> = {
  server: 'it is on another server',
  database: 'it is another database of the same server',
  timeline: 'the server was failed over or recovered to a point in time',
  row: 'its rows were written by a restore',
  standby: 'the server is a standby, which accepts no writes',
};
const REMEDIES = {
  standby: 'Set DATABASE_URL to the primary.',
  restored:
    'Nothing is written until an operator runs `operator recover`, or `operator recover --nothing-lost` after a failover that lost no commit (docs/operating/backup-and-restore.md).',
};

/** The database was restored or failed over, and no one has run `operator recover` yet. */
export class ForeignDatabase extends Error {
  override readonly name = 'ForeignDatabase';
  /** Read by database-failures.ts: callers may try again. */
  readonly code = 'FOREIGN_DATABASE';
  /** A sentence without its full stop. */
  readonly problem: string;
  /** The operator's remedy. */
  readonly remedy: string;

  constructor(readonly differences: readonly Difference[]) {
    const remedy = differences.includes('standby') ? REMEDIES.standby : REMEDIES.restored;
    const causes = differences.map((difference) => CAUSES[difference]).join(', and ');
    const problem = `This is not the database that the service wrote to: ${causes}`;
    super(`${problem}. ${remedy}`);
    this.problem = problem;
    this.remedy = remedy;
  }
}

/** Compares the database with the row that identifies it. */
export async function findIdentity(run: RunStatement): Promise<Identity> {
  const [row] = await run<IdentityRow>(loadSql('find-identity'));
  if (row === undefined) throw new Error('the database returned no identity');
  return {
    systemIdentifier: row.system_identifier,
    databaseOid: row.database_oid,
    timeline: row.timeline,
    differences: differencesOf(row),
  };
}

/**
 * Records the database as the one that the service writes to. `adopt`: replaces a different known
 * one.
 */
export async function writeIdentity(
  run: RunStatement,
  { systemIdentifier, databaseOid, timeline }: Identity,
  { adopt }: { adopt: boolean },
): Promise<void> {
  await run(loadSql('write-identity'), [systemIdentifier, databaseOid, timeline, adopt]);
}

/**
 * Refuses a database that was restored or failed over. The first process that connects to a new one
 * records it. A database without tables is admitted: it is migrated later.
 *
 * @param anyIdentity refuses only a standby
 * @throws ForeignDatabase
 */
export async function admitDatabase(
  run: RunStatement,
  { anyIdentity }: { anyIdentity: boolean },
): Promise<void> {
  const identity = await findIdentity(run).catch((error: unknown) => {
    if (isMissingTable(error)) return null;
    throw error;
  });
  if (identity === null) return;
  const { differences } = identity;
  const refused = anyIdentity
    ? (differences ?? []).filter((difference) => difference === 'standby')
    : (differences ?? []);
  if (refused.length > 0) throw new ForeignDatabase(refused);
  if (differences === null) await writeIdentity(run, identity, { adopt: false });
}

function differencesOf(row: IdentityRow): readonly Difference[] | null {
  if (row.timeline === null) return ['standby'];
  if (!row.is_known) return null;
  const same: readonly [Difference, boolean | null][] = [
    ['server', row.same_server],
    ['database', row.same_database],
    ['timeline', row.same_timeline],
    ['row', row.same_row],
  ];
  return same.filter(([, isSame]) => isSame !== true).map(([difference]) => difference);
}

function isMissingTable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '42P01';
}
