import { setTimeout as pause } from 'node:timers/promises';
import { makeId } from '../../../domain/api/ids.js';
import { lockLink } from '../../../prisma/links/link/link-transition.js';
import {
  removeUnseenTransactions,
  storeTransactionBatch,
} from '../../../prisma/links/transactions/store-transactions.js';
import { TransactionReader } from '../../../prisma/links/transactions/transaction-reader.js';
import { SimulatedBank } from './simulated-bank.js';
import { seededRandom } from '../../support/runner/seeded-random.js';
import {
  EVERY_DAY,
  storeLink,
  versionsOf,
  type StoredLink,
  storageOfFile,
  storage,
} from '../../support/fixtures/stored-link.js';
import { SEED } from '../../support/runner/seed.js';
import { rowsOf, SyncReader } from './sync-reader.js';

storageOfFile();

const WRITERS = 8;
const READERS = 5;
/** The minimum that each does, however slow this computer is. */
const MIN_BATCHES = 3;
const MIN_STEPS = 30;
/** SYNC_PROPERTY_SECONDS makes it run longer. */
const SECONDS = Number(process.env['SYNC_PROPERTY_SECONDS'] ?? 2);

describe('The sync cursor, with concurrent writers', () => {
  let link: StoredLink;
  let reader: TransactionReader;
  beforeAll(async () => {
    reader = new TransactionReader(storage.ctx);
    link = await storeLink(storage);
  });

  /**
   * The real ingest. Each writer has an account of its own, so that none removes the rows of
   * another.
   */
  async function write(writer: number, until: number): Promise<number> {
    const random = seededRandom(SEED + writer);
    const account = `account-${writer}`;
    const accounts = new Map([[account, makeId('account', storage.ctx.random)]]);
    const bank = new SimulatedBank(random, account);
    let changes = 0;
    for (let batches = 0; batches < MIN_BATCHES || Date.now() < until; batches += 1) {
      for (let count = Math.floor(random() * 30); count >= 0; count -= 1) bank.change();
      const rows = bank.snapshot();
      changes += await storage.ctx.database.transaction(async (tx) => {
        await lockLink(tx, link.pk);
        const { created, updated } = await storeTransactionBatch(
          storage.ctx,
          tx,
          link,
          accounts,
          rows,
        );
        if (random() < 0.3) return created + updated;
        const seen = rows.map(({ providerTransactionId }) => providerTransactionId);
        return (
          created +
          updated +
          (await removeUnseenTransactions(tx, link.pk, accounts, EVERY_DAY, seen))
        );
      });
    }
    return changes;
  }

  async function read(index: number, until: number): Promise<SyncReader> {
    const random = seededRandom(SEED + 1000 + index);
    const syncing = new SyncReader(reader, link.linkId, random);
    for (let steps = 0; steps < MIN_STEPS || Date.now() < until; steps += 1) {
      await syncing.step();
      // Some readers stop in the middle of a walk while everything changes.
      if (random() < 0.2) await pause(random() * 150);
    }
    return syncing;
  }

  async function rowsAtRest(): Promise<Map<string, string>> {
    const rows = new Map<string, string>();
    for (let page = 1; ; page += 1) {
      const found = await reader.listPage({
        linkPk: link.pk,
        start: EVERY_DAY.from,
        end: EVERY_DAY.to,
        page,
        size: 1000,
      });
      for (const [id, body] of rowsOf(found.rows)) rows.set(id, body);
      if (found.size < 1000) return rows;
    }
  }

  it(
    `loses nothing, repeats nothing and always ends (seed ${SEED}, ${SECONDS} s)`,
    async () => {
      const until = Date.now() + SECONDS * 1000;
      const [written, readers] = await Promise.all([
        Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer, until))),
        Promise.all(Array.from({ length: READERS }, (_, index) => read(index, until))),
      ]);
      const rows = await rowsAtRest();
      for (const syncing of readers) {
        if (syncing.isPaused) await syncing.walkToEnd();
        await syncing.walkToEnd();
        await syncing.repeatAtRest();
        expect(syncing.violations).toEqual([]);
        expect(syncing.replica).toEqual(rows);
        expect(syncing.walks).toBeGreaterThan(1);
      }
      expect(written.every((changes) => changes > 0)).toBe(true);
      expect(readers.some((syncing) => syncing.repeated > 1)).toBe(true);

      const seqs = (await versionsOf(storage, link)).map(({ seq }) => seq);
      const { headSeq } = await storage.ctx.database.prisma.link.findUniqueOrThrow({
        where: { pk: link.pk },
      });
      expect(seqs).toEqual(seqs.map((_, index) => BigInt(index + 1)));
      expect(headSeq).toBe(BigInt(seqs.length));
      expect(Number(headSeq)).toBe(written.reduce((sum, changes) => sum + changes, 0));
    },
    SECONDS * 1000 + 60_000,
  );
});
