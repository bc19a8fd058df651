import type { Context } from '../../base/context.js';
import {
  findIdentity,
  writeIdentity,
  type Difference,
  type RunStatement,
} from '../../base/database/database-identity.js';
import { loadSql } from '../../base/database/load-sql.js';
import type { Tx } from '../../base/database/tx.js';
import { repeatDeletions, type RepeatedDeletions } from './repeat-deletions.js';
import { requestAgain, type RequestedAgain } from './request-again.js';

const LINKS_AT_ONCE = 1_000;

/** The findings and actions of `recover`. */
export interface Recovered {
  /** The newest row of the backup; null = it has none. */
  newest: Date | null;
  /** Webhooks that are undelivered according to the backup: some may have been delivered. */
  pendingDeliveries: number;
  /** Links whose later positions are now void. */
  links: number;
  deletions: RepeatedDeletions;
  requested: RequestedAgain;
}

/** The differences from the database that the service wrote to; empty = none. */
export async function findDifferences({ database }: Context): Promise<readonly Difference[]> {
  return (await findIdentity(statementsOf(database.prisma))).differences ?? [];
}

/** Records this database as the one that the service writes to: no commit was lost. */
export async function adoptDatabase({ database }: Context): Promise<void> {
  await database.transaction(adopt);
}

/**
 * Makes a database usable that was restored from a backup: nothing that was issued after the backup
 * is valid or issued again, links that were deleted since are deleted again, and work in progress
 * is requested again. No other process writes before the last statement. After an interruption it
 * is run again from the start, which is safe. docs/decisions/operating/0041.
 */
export async function recover(
  ctx: Context,
  { deletedLinkIds }: { deletedLinkIds: readonly string[] },
): Promise<Recovered> {
  const { database } = ctx;
  const voidUntil = await chooseVoidUntil(ctx);
  const [lost] = await database.prisma.$queryRawUnsafe<
    { newest: Date | null; pending_deliveries: number }[]
  >(loadSql('lost-since'));
  await database.pool.query(loadSql('advance-sequences'), [voidUntil]);
  const links = await voidPositions(ctx, voidUntil);
  const deletions = await repeatDeletions(ctx, deletedLinkIds);
  const requested = await requestAgain(ctx);
  await database.transaction(async (tx) => {
    await refuseForgottenLink(tx, voidUntil);
    // Of the restored ones, some had been ended, and codes had been used.
    await tx.consoleSession.deleteMany();
    await tx.consoleCode.deleteMany();
    await adopt(tx);
  });
  return {
    newest: lost?.newest ?? null,
    pendingDeliveries: lost?.pending_deliveries ?? 0,
    links,
    deletions,
    requested,
  };
}

/**
 * A number above every position, revision and sequence that was assigned by this database or by any
 * that was restored before, which this one may not know of: microseconds since 1970. No link grows
 * by a row per microsecond. If the clock was set back, the positions of this database count.
 */
async function chooseVoidUntil({ database }: Context): Promise<bigint> {
  const [row] = await database.prisma.$queryRaw<{ now: bigint; head: bigint }[]>`
    SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now,
           (SELECT coalesce(max(greatest(head_seq, investment_seq, revision)), 0) FROM links)::bigint AS head`;
  if (row === undefined) throw new Error('the database returned no time');
  return row.now > row.head ? row.now : row.head + 2n ** 32n;
}

async function voidPositions({ database }: Context, voidUntil: bigint): Promise<number> {
  let [after, links] = [0n, 0];
  for (;;) {
    const [batch] = await database.transaction((tx) =>
      tx.$queryRawUnsafe<{ last_pk: string | null; links: number }[]>(
        loadSql('void-positions'),
        voidUntil,
        after,
        LINKS_AT_ONCE,
      ),
    );
    if (batch === undefined || batch.last_pk === null) return links;
    after = BigInt(batch.last_pk);
    links += batch.links;
  }
}

/** A batch may have been lost with a server that failed over in the meantime. */
async function refuseForgottenLink(tx: Tx, voidUntil: bigint): Promise<void> {
  const [row] = await tx.$queryRaw<{ found: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM links WHERE NOT EXISTS (
      SELECT 1 FROM void_positions void WHERE void.link_pk = links.pk AND void.until_seq = ${voidUntil})) AS found`;
  if (row?.found === true)
    throw new Error('the database lost commits while it was being recovered: run recover again');
}

async function adopt(tx: Tx): Promise<void> {
  const run = statementsOf(tx);
  await writeIdentity(run, await findIdentity(run), { adopt: true });
}

function statementsOf(tx: Tx): RunStatement {
  return <Row>(text: string, values: unknown[] = []) => tx.$queryRawUnsafe<Row[]>(text, ...values);
}
