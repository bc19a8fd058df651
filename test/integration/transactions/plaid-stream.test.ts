import {
  TransactionStream,
  type Stream,
  type Update,
  type UpdateResult,
} from '../../../apps/api/src/plaid/transactions/transaction-stream.js';
import { presentTransaction } from '../../../apps/api/src/plaid/shapes/plaid-transaction.js';
import type { StoredTransaction } from '../../../apps/api/src/plaid/shapes/stored-transaction.js';
import { pendingId } from '../../../apps/api/src/plaid/shapes/pending-id.js';
import { ChangeLogRepository } from '../../../prisma/links/transactions/change-log.repository.js';
import { CursorKeys } from '../../../prisma/base/keys/cursor-key.repository.js';
import { lockLink } from '../../../prisma/links/link/link-transition.js';
import {
  removeUnseenTransactions,
  storeTransactionBatch,
} from '../../../prisma/links/transactions/store-transactions.js';
import { SimulatedBank } from './simulated-bank.js';
import { seededRandom } from '../../support/runner/seeded-random.js';
import {
  EVERY_DAY,
  fetchRows,
  openStorage,
  row,
  storeLink,
  type Storage,
  type StoredLink,
} from '../../support/fixtures/stored-link.js';
import { SEED } from '../../support/runner/seed.js';

/**
 * A client of the Plaid layer's stream as its contract describes it: it applies an update when it
 * is complete.
 */
class StreamReader {
  readonly replica = new Map<string, string>();
  readonly violations: string[] = [];
  restarts = 0;
  /** The start of the update in progress, and its pages so far. */
  private base: string | null = null;
  private pages: Update[] = [];

  /** Everything that was ever removed. */
  readonly gone = new Set<string>();

  /**
   * @param heldBefore rows that a client starting now already holds. It may receive their removal
   * (plaid-compat 5.4 rule 8).
   */
  constructor(
    private readonly call: (cursor: string | null, count: number) => Promise<UpdateResult>,
    private readonly random: () => number,
    private readonly heldBefore: ReadonlySet<string> = new Set(),
  ) {}

  /** Makes one call. Returns false when the client has everything. */
  async step(): Promise<boolean> {
    const count = 1 + Math.floor(this.random() ** 2 * 30);
    const result = await this.call(this.pages.at(-1)?.nextCursor ?? this.base, count);
    if (result.kind === 'mutated') {
      if (this.pages.length === 0) this.violations.push('a first page cannot be interrupted');
      this.restarts += 1;
      this.pages = [];
      return true;
    }
    if (result.kind !== 'update') {
      this.violations.push(`the answer is ${result.kind}`);
      return false;
    }
    const { update } = result;
    const size = update.added.length + update.modified.length + update.removed.length;
    if (size > count || (update.hasMore && size !== count))
      this.violations.push(`a page of ${count} has ${size} entries, more: ${update.hasMore}`);
    this.pages.push(update);
    if (!update.hasMore) this.apply(update.nextCursor);
    return update.hasMore || size > 0;
  }

  async finish(): Promise<void> {
    while (await this.step());
  }

  private apply(nextCursor: string): void {
    const added = this.pages.flatMap((page) => page.added);
    const modified = this.pages.flatMap((page) => page.modified);
    const removed = this.pages.flatMap((page) => page.removed);
    const ids = [...added, ...modified, ...removed].map((entry) => entry.transaction_id);
    if (new Set(ids).size !== ids.length) this.violations.push('an id occurs twice in one update');
    for (const { transaction_id: id } of removed) {
      if (this.gone.has(id)) this.violations.push(`${id} is removed twice`);
      this.gone.add(id);
      if (!this.replica.delete(id) && !this.heldBefore.has(id))
        this.violations.push(`${id} is removed and was never there`);
    }
    for (const record of added) {
      if (this.replica.has(record.transaction_id))
        this.violations.push(`${record.transaction_id} is added twice`);
      this.replica.set(record.transaction_id, JSON.stringify(record));
    }
    for (const record of modified) {
      if (!this.replica.has(record.transaction_id))
        this.violations.push(`${record.transaction_id} is modified and was never there`);
      this.replica.set(record.transaction_id, JSON.stringify(record));
    }
    this.base = nextCursor;
    this.pages = [];
  }
}

const OPTIONS = { includeOriginalDescription: false, categoryVersion: 'v1' } as const;
/** SYNC_PROPERTY_ROUNDS makes it run longer. */
const ROUNDS = Number(process.env['SYNC_PROPERTY_ROUNDS'] ?? (process.env['LONG_RUNS'] ? 40 : 12));
const MAX_TURNS = 10;

describe('The change log as the Plaid layer reads it (plaid-compat 5)', () => {
  let storage: Storage;
  let log: ChangeLogRepository;
  let transactions: TransactionStream;
  let rowsRead = 0;
  beforeAll(async () => {
    storage = await openStorage();
    log = new ChangeLogRepository(storage.ctx);
    const keys = new CursorKeys(storage.ctx);
    await keys.ensure();
    transactions = new TransactionStream(
      {
        read: async (query) => {
          const part = await log.read(query);
          rowsRead += part?.rows.length ?? 0;
          return part;
        },
        bodies: (linkPk, positions) => log.bodies(linkPk, positions),
      },
      keys,
    );
  });
  afterAll(() => storage.close());

  const streamOf = (
    { pk, linkId, accounts }: StoredLink,
    account: string | null = null,
  ): Stream => ({
    linkPk: pk,
    linkId,
    accountId: account === null ? null : (accounts.get(account) ?? ''),
    servedAccountIds: [...accounts.values()],
  });
  const next = (stream: Stream, cursor: string | null, count = 100) =>
    transactions.next(stream, { cursor, count, options: OPTIONS });
  async function update(stream: Stream, cursor: string | null, count = 100) {
    const result = await next(stream, cursor, count);
    if (result.kind !== 'update') throw new Error(`expected an update, not ${result.kind}`);
    return result.update;
  }
  async function atRest({ pk, accounts }: StoredLink): Promise<Map<string, string>> {
    const found = await log.current({
      linkPk: pk,
      accountIds: [...accounts.values()],
      start: EVERY_DAY.from,
      end: EVERY_DAY.to,
      offset: 0,
      size: 100_000,
    });
    const shown = found.transactions.map(({ body, ...stage }) =>
      presentTransaction(JSON.parse(body) as StoredTransaction, stage, OPTIONS),
    );
    expect(shown).toHaveLength(found.total);
    return new Map(shown.map((record) => [record.transaction_id, JSON.stringify(record)]));
  }

  it('shows a pending row that posts as one removed row and one added row that refers to it', async () => {
    const link = await storeLink(storage);
    const stream = streamOf(link);
    await fetchRows(storage, link, [row('p', { pending: true })]);
    const first = await update(stream, null);
    await fetchRows(storage, link, [row('p', { pending: false, description: 'Corner Cafe Ltd' })]);
    const second = await update(stream, first.nextCursor);
    const [pending] = first.added;
    const [posted] = second.added;
    expect({
      wasPending: pending?.pending,
      isPending: posted?.pending,
      name: posted?.name,
    }).toEqual({ wasPending: true, isPending: false, name: 'Corner Cafe Ltd' });
    expect(pending?.transaction_id).toBe(pendingId(posted?.transaction_id ?? ''));
    expect(posted?.pending_transaction_id).toBe(pending?.transaction_id);
    expect(second.removed).toEqual([
      { transaction_id: pending?.transaction_id, account_id: pending?.account_id },
    ]);
    expect(second.modified).toEqual([]);
  });

  it('returns the same response and the same cursor while nothing changes', async () => {
    const link = await storeLink(storage);
    const stream = streamOf(link);
    expect(await update(stream, null)).toMatchObject({ added: [], hasMore: false });
    await fetchRows(storage, link, [row('a'), row('b')]);
    const all = await update(stream, '');
    expect(await update(stream, '')).toEqual(all);
    const nothing = await update(stream, all.nextCursor);
    expect(nothing).toEqual({
      added: [],
      modified: [],
      removed: [],
      accountIds: [],
      nextCursor: all.nextCursor,
      hasMore: false,
    });
  });

  it('reports that the log grew while a client was paging, and accepts the cursor of its first page again', async () => {
    const link = await storeLink(storage);
    const stream = streamOf(link);
    await fetchRows(storage, link, [row('a'), row('b'), row('c')]);
    const page = await update(stream, null, 2);
    expect({ added: page.added.length, hasMore: page.hasMore }).toEqual({
      added: 2,
      hasMore: true,
    });
    await fetchRows(storage, link, [row('a'), row('b'), row('c'), row('d')]);
    expect(await next(stream, page.nextCursor)).toEqual({ kind: 'mutated' });
    expect((await update(stream, null)).added).toHaveLength(4);
  });

  it('reads a long log once over its pages, and two rows beyond each page', async () => {
    const link = await storeLink(storage);
    const names = Array.from({ length: 300 }, (_, index) => `row-${index}`);
    await fetchRows(
      storage,
      link,
      names.map((name) => row(name, { pending: true })),
    );
    const { nextCursor: base } = await update(streamOf(link), null, 500);
    // Every third row changes once more after it posted, so that its last entry is not the one that
    // posted it.
    await fetchRows(
      storage,
      link,
      names.map((name) => row(name)),
    );
    await fetchRows(
      storage,
      link,
      names.map((name, index) => row(name, index % 3 === 0 ? { description: 'Changed' } : {})),
    );
    rowsRead = 0;
    const pages = [await update(streamOf(link), base, 20)];
    for (let page = pages[0]; page?.hasMore === true; pages.push(page))
      page = await update(streamOf(link), page.nextCursor, 20);
    expect(pages).toHaveLength(30);
    expect(pages.flatMap(({ removed }) => removed)).toHaveLength(300);
    expect(pages.flatMap(({ added }) => added)).toHaveLength(300);
    expect(rowsRead).toBeLessThanOrEqual(pages.length * 22);
  });

  it('keeps the stream of an account separate', async () => {
    const link = await storeLink(storage);
    await fetchRows(storage, link, [row('a'), row('b'), row('c', { providerAccountId: 'card' })]);
    const card = streamOf(link, 'card');
    const first = await update(streamOf(link, 'checking'), null, 1);
    const ofCard = await update(card, null);
    expect(ofCard.added.map((record) => record.account_id)).toEqual([link.accounts.get('card')]);
    await fetchRows(storage, link, [
      row('a'),
      row('b'),
      row('c', { providerAccountId: 'card' }),
      row('d', { providerAccountId: 'card' }),
    ]);
    // A change on another account interrupts no reader.
    expect(await update(streamOf(link, 'checking'), first.nextCursor)).toMatchObject({
      hasMore: false,
      added: [{ pending: false }],
    });
    expect((await update(card, ofCard.nextCursor)).added).toHaveLength(1);
    expect(await next(streamOf(link), ofCard.nextCursor)).toEqual({ kind: 'foreign' });
    expect(await next(card, first.nextCursor)).toEqual({ kind: 'foreign' });
  });

  it('can start now, without the existing rows', async () => {
    const link = await storeLink(storage);
    const stream = streamOf(link);
    await fetchRows(storage, link, [row('old'), row('gone'), row('waits', { pending: true })]);
    const now = await update(stream, 'now');
    expect(now).toMatchObject({ added: [], hasMore: false });
    expect((await update(stream, now.nextCursor)).nextCursor).toBe(now.nextCursor);
    await fetchRows(storage, link, [
      row('old', { description: 'Changed' }),
      row('waits', { pending: false }),
      row('new'),
    ]);
    const first = await update(stream, now.nextCursor);
    expect({
      added: first.added.length,
      modified: first.modified.length,
      removed: first.removed.length,
    }).toEqual({ added: 3, modified: 0, removed: 2 });
    await fetchRows(storage, link, [
      row('old', { description: 'Again' }),
      row('waits'),
      row('new'),
    ]);
    const second = await update(stream, first.nextCursor);
    expect({
      added: second.added,
      removed: second.removed,
      modified: second.modified.map(({ name }) => name),
    }).toEqual({ added: [], removed: [], modified: ['Again'] });
  });

  it.each(['nonsense', 'A'.repeat(71), 'é'])('refuses the cursor %s', async (cursor) => {
    expect(await next(streamOf(await storeLink(storage)), cursor)).toEqual({ kind: 'foreign' });
  });

  /** A bank of one account that changes its rows, and a fetch after each round. */
  function writerOf(
    link: StoredLink,
    account: string,
    seed: number,
  ): (rounds: number) => Promise<void> {
    const random = seededRandom(seed);
    const bank = new SimulatedBank(random, account);
    const accounts = new Map([[account, link.accounts.get(account) ?? '']]);
    return async (rounds) => {
      for (let round = 0; round < rounds; round += 1) {
        for (let count = Math.floor(random() * 10); count >= 0; count -= 1) bank.change();
        await storage.ctx.database.transaction(async (tx) => {
          await lockLink(tx, link.pk);
          const rows = bank.snapshot();
          await storeTransactionBatch(storage.ctx, tx, link, accounts, rows);
          await removeUnseenTransactions(
            tx,
            link.pk,
            accounts,
            EVERY_DAY,
            rows.map(({ providerTransactionId }) => providerTransactionId),
          );
        });
      }
    };
  }

  /** Readers that continue until the writers are done, and then to the end. */
  async function readWhile(
    writing: Promise<unknown>,
    readers: readonly StreamReader[],
  ): Promise<void> {
    let isWriting = true;
    const reading = Promise.all(
      readers.map(async (reader) => {
        while (isWriting) await reader.step();
      }),
    );
    await writing.finally(() => {
      isWriting = false;
    });
    await reading;
    for (const reader of readers) {
      await reader.finish();
      expect(reader.violations).toEqual([]);
    }
  }

  it(
    `returns the current rows to every reader, with concurrent writers (seed ${SEED}, ${ROUNDS} rounds)`,
    async () => {
      const link = await storeLink(storage);
      const readerOf = (seed: number, account: string | null = null) =>
        new StreamReader(
          (cursor, count) => next(streamOf(link, account), cursor, count),
          seededRandom(seed),
        );
      const readers = [1, 2, 3].map((index) => readerOf(SEED + 100 * index));
      const ofAccount = readerOf(SEED + 400, 'card');
      const writers = [writerOf(link, 'checking', SEED), writerOf(link, 'card', SEED + 1)];
      const isRestarted = () => readers.some(({ restarts }) => restarts > 0);
      // On a busy computer, all pages of a reader may lie between two writes.
      for (let turn = 0; turn === 0 || (turn < MAX_TURNS && !isRestarted()); turn += 1)
        await readWhile(Promise.all(writers.map((run) => run(ROUNDS))), [...readers, ofAccount]);
      const rows = await atRest(link);
      expect(rows.size).toBeGreaterThan(20);
      for (const { replica } of readers) expect(replica).toEqual(rows);
      expect(isRestarted()).toBe(true);
      const cardId = link.accounts.get('card') ?? '';
      const ofCard = [...rows].filter(
        ([, text]) => (JSON.parse(text) as { account_id: string }).account_id === cardId,
      );
      expect(ofCard.length).toBeGreaterThan(5);
      expect(ofAccount.replica).toEqual(new Map(ofCard));
      // Without writers every page size returns the same list.
      const whole = new StreamReader(
        (cursor, count) => next(streamOf(link), cursor, count),
        () => 0.3,
      );
      await whole.finish();
      expect(whole.replica).toEqual(rows);
    },
    ROUNDS * 1000 + 60_000,
  );

  it(`reports every later change to a reader that starts now, with concurrent writers (seed ${SEED})`, async () => {
    const link = await storeLink(storage);
    const writers = [writerOf(link, 'checking', SEED + 2), writerOf(link, 'card', SEED + 3)];
    const write = (rounds: number) => Promise.all(writers.map((run) => run(rounds)));
    await write(5);
    const before = await atRest(link);
    const stream = streamOf(link);
    const { nextCursor: now } = await update(stream, 'now');
    const reader = new StreamReader(
      (cursor, count) => next(stream, cursor ?? now, count),
      seededRandom(SEED),
      new Set(before.keys()),
    );
    await readWhile(write(10), [reader]);
    const after = await atRest(link);
    for (const [id, row] of reader.replica) expect({ id, row }).toEqual({ id, row: after.get(id) });
    expect(
      [...after].filter(([id, row]) => before.get(id) !== row && !reader.replica.has(id)),
    ).toEqual([]);
    expect([...before.keys()].filter((id) => !after.has(id) && !reader.gone.has(id))).toEqual([]);
  });
});
