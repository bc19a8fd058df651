import {
  advanceCursor,
  SYNC_START,
  type SyncCursor,
} from '../../../domain/transactions/sync-cursor.js';
import { recover } from '../../../prisma/operations/recovery/recover.js';
import { TransactionReader } from '../../../prisma/links/transactions/transaction-reader.js';
import {
  EVERY_DAY,
  fetchRows,
  storageIn,
  TENANT,
  type Storage,
  type StoredLink,
} from '../../support/fixtures/stored-link.js';
import { copyDatabase } from '../../support/services/embedded-services.js';
import { rowsOf } from '../transactions/sync-reader.js';
import type { SimulatedBank } from '../transactions/simulated-bank.js';

/** The stored data of an app: its cursor, and the rows that it had received by then. */
export interface Held {
  cursor: SyncCursor;
  rows: ReadonlyMap<string, string>;
}

export const NOTHING_HELD: Held = { cursor: SYNC_START, rows: new Map() };

/** A backup of a database. Restoring creates a copy of the copy. */
export interface Backup {
  restore(): Promise<Storage>;
  drop(): Promise<void>;
}

export async function backUp({ url, masterKey }: Storage): Promise<Backup> {
  const kept = await copyDatabase(url);
  return {
    restore: async () => {
      const restored = await copyDatabase(kept.url);
      return storageIn(restored, { masterKey, anyIdentity: true });
    },
    drop: kept.drop,
  };
}

/** Restores a backup and recovers it, as an operator does. */
export async function restoreAndRecover(backup: Backup): Promise<Storage> {
  const storage = await backup.restore();
  await recover(storage.ctx, { deletedLinkIds: [] });
  return storage;
}

/** The bank changes, and a refresh stores the new data. */
export async function refresh(
  storage: Storage,
  link: StoredLink,
  bank: SimulatedBank,
  changes: number,
): Promise<void> {
  for (let count = 0; count < changes; count += 1) bank.change();
  const rows = bank.snapshot();
  // A request of its own, since the run of a lost branch may have the same number.
  await fetchRows(storage, link, rows);
}

/** Reads one page. Null means that the cursor is refused. */
export async function readPage(
  storage: Storage,
  { linkId }: StoredLink,
  { cursor, rows }: Held,
  size: number,
): Promise<Held | null> {
  const reader = new TransactionReader(storage.ctx);
  const page = (await reader.syncPage({ tenant: TENANT, linkId, cursor, size }))?.page ?? null;
  if (page === null) return null;
  const next = new Map([...rows, ...rowsOf(page.created), ...rowsOf(page.updated)]);
  for (const id of JSON.parse(`[${page.removed}]`) as string[]) next.delete(id);
  return {
    cursor: advanceCursor(cursor, page.highWater, page.lastSeq, page.hasMore),
    rows: next,
  };
}

/** Reads until there is no new data. Null means that a cursor was refused on the way. */
export async function readAll(
  storage: Storage,
  link: StoredLink,
  held: Held,
): Promise<Held | null> {
  let now: Held | null = held;
  // The walk in progress, and a walk that sees the data stored since it started.
  for (let walks = 0; now !== null && walks < 2;) {
    now = await readPage(storage, link, now, 500);
    if (now !== null && now.cursor.highWater === null) walks += 1;
  }
  return now;
}

export async function rowsAtRest(
  storage: Storage,
  { pk }: StoredLink,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await new TransactionReader(storage.ctx).listPage({
    linkPk: pk,
    start: EVERY_DAY.from,
    end: EVERY_DAY.to,
    page: 1,
    size: 1_000,
  });
  return rowsOf(rows);
}
