import type { PoolClient } from 'pg';
import type { Context } from '../context.js';
import { inPoolTransaction } from '../database/pool-transaction.js';
import { SealedValueUnreadable } from '../sealing/aes-gcm.js';
import { rowName, SEALED_COLUMNS, type SealedColumn, type SealedRow } from './sealed-columns.js';

export interface Rewrapped {
  /** Values now sealed by the current key, by table. */
  rows: Record<SealedColumn['table'], number>;
  /** Rows that no key of MASTER_KEYS opens, as `table/row`. They stay as they are. */
  unreadable: string[];
}

/** Rows of one transaction. */
const BATCH = 500;
/** A row held by another transaction is left to the next round; one round finds nearly all. */
const MAX_ROUNDS = 20;

/**
 * Reseals the values of other master keys with the current one. The service may run in the
 * meantime: a batch does not wait for locks, and others wait for it only for milliseconds. When it
 * is interrupted, all finished batches stay, and the next call continues with the rest.
 */
export async function rewrap(ctx: Context): Promise<Rewrapped> {
  const rows = { data_keys: 0, signing_keys: 0, cursor_keys: 0, idempotency_records: 0 };
  const unreadable = new Set<string>();
  for (const column of SEALED_COLUMNS) {
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const { changed, skipped } = await rewrapColumn(ctx, column, unreadable);
      rows[column.table] += changed;
      if (skipped === 0) break;
    }
  }
  return { rows, unreadable: [...unreadable].sort() };
}

async function rewrapColumn(ctx: Context, column: SealedColumn, unreadable: Set<string>) {
  let changed = 0;
  let skipped = 0;
  let after: SealedRow['key'] | null = null;
  for (;;) {
    const batch = await inPoolTransaction(ctx.database.pool, (client) =>
      rewrapBatch(ctx, client, column, { after, unreadable }),
    );
    changed += batch.changed;
    skipped += batch.skipped;
    if (batch.last === null) return { changed, skipped };
    after = batch.last;
  }
}

async function rewrapBatch(
  ctx: Context,
  client: PoolClient,
  column: SealedColumn,
  { after, unreadable }: { after: SealedRow['key'] | null; unreadable: Set<string> },
) {
  const { currentId } = ctx.sealer.masterKeys;
  const { table, key, keyType, column: value, masterKeyId } = column;
  // Scans every row by primary key, because a scan for other keys would read them all, too.
  const { rows: page } = await client.query<Omit<SealedRow, 'value'>>(
    `SELECT ${key} AS key, ${masterKeyId} AS "masterKeyId" FROM ${table}
      WHERE ${after === null ? '' : `${key} > $1::${keyType} AND`} ${value} IS NOT NULL
      ORDER BY ${key} LIMIT ${BATCH}`,
    after === null ? [] : [after],
  );
  const last = page.length < BATCH ? null : (page.at(-1)?.key ?? null);
  const stale = page.filter(
    (row) => row.masterKeyId !== currentId && !unreadable.has(`${table}/${rowName(row.key)}`),
  );
  if (stale.length === 0) return { changed: 0, skipped: 0, last };

  const { rows: locked } = await client.query<SealedRow>(
    `SELECT ${key} AS key, ${masterKeyId} AS "masterKeyId", ${value} AS value FROM ${table}
      WHERE ${key} = ANY($1::${keyType}[]) AND ${value} IS NOT NULL AND ${masterKeyId} <> $2
        FOR NO KEY UPDATE SKIP LOCKED`,
    [stale.map((row) => row.key), currentId],
  );
  const resealed: { key: SealedRow['key']; value: Uint8Array }[] = [];
  for (const row of locked) {
    try {
      resealed.push({ key: row.key, value: await column.reseal(ctx.sealer, row) });
    } catch (error) {
      if (!(error instanceof SealedValueUnreadable)) throw error;
      unreadable.add(`${table}/${rowName(row.key)}`);
    }
  }
  await client.query(
    `UPDATE ${table} SET ${value} = resealed.value ${column.idColumn === undefined ? '' : `, ${column.idColumn} = $3`}
       FROM unnest($1::${keyType}[], $2::bytea[]) AS resealed (key, value) WHERE ${table}.${key} = resealed.key`,
    [
      resealed.map((row) => row.key),
      resealed.map((row) => Buffer.from(row.value)),
      ...(column.idColumn === undefined ? [] : [currentId]),
    ],
  );
  return { changed: resealed.length, skipped: stale.length - locked.length, last };
}
