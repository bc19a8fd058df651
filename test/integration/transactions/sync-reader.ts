import { isDeepStrictEqual } from 'node:util';
import {
  advanceCursor,
  SYNC_START,
  type SyncCursor,
} from '../../../domain/transactions/sync-cursor.js';
import type {
  SyncPage,
  TransactionReader,
} from '../../../prisma/links/transactions/transaction-reader.js';
import { TENANT } from '../../support/fixtures/stored-link.js';

/**
 * A reader as the contract describes it: it keeps a replica and its cursor, and checks every page.
 */
export class SyncReader {
  readonly replica = new Map<string, string>();
  readonly violations: string[] = [];
  walks = 0;
  repeated = 0;
  private cursor: SyncCursor = SYNC_START;
  private readonly inWalk = new Set<string>();

  constructor(
    private readonly reader: Pick<TransactionReader, 'syncPage'>,
    private readonly linkId: string,
    private readonly random: () => number,
  ) {}

  /**
   * Makes one call with a random page size. Inside a walk it sometimes repeats the call: versions
   * stay, so the pinned page must be the same even while rows change.
   */
  async step(): Promise<boolean> {
    const size = 1 + Math.floor(this.random() ** 3 * 60);
    const from = this.cursor;
    const page = await this.call(from, size);
    if (from.highWater !== null && this.random() < 0.3) await this.repeat(from, size, page);
    this.apply(page, size);
    return page.hasMore;
  }

  async walkToEnd(): Promise<void> {
    while (await this.step());
  }

  get isPaused(): boolean {
    return this.cursor.highWater !== null;
  }

  /** Changes nothing the reader holds: a page may be requested any number of times (guarantee 1). */
  async repeatAtRest(): Promise<void> {
    await this.repeat(SYNC_START, 17, await this.call(SYNC_START, 17));
  }

  private async call(cursor: SyncCursor, size: number): Promise<SyncPage> {
    const page =
      (await this.reader.syncPage({ tenant: TENANT, linkId: this.linkId, cursor, size }))?.page ??
      null;
    if (page === null) throw new Error('the cursor could not be read');
    return page;
  }

  private async repeat(from: SyncCursor, size: number, page: SyncPage): Promise<void> {
    this.repeated += 1;
    if (!isDeepStrictEqual(await this.call(from, size), page))
      this.violations.push('a repeated page differs');
  }

  private apply(page: SyncPage, size: number): void {
    const created = rowsOf(page.created);
    const removed = JSON.parse(`[${page.removed}]`) as string[];
    const ids = [...created.keys(), ...rowsOf(page.updated).keys(), ...removed];
    if (ids.length > size) this.violations.push(`a page of ${size} has ${ids.length} rows`);
    if (page.hasMore && ids.length !== size)
      this.violations.push('a page with more to come is not full');
    for (const id of ids) {
      if (this.inWalk.has(id)) this.violations.push(`${id} occurs twice in a walk`);
      this.inWalk.add(id);
    }
    for (const [id, body] of [...created, ...rowsOf(page.updated)]) {
      if (created.has(id) === this.replica.has(id))
        this.violations.push(`${id} is called ${created.has(id) ? 'created' : 'updated'} wrongly`);
      this.replica.set(id, body);
    }
    for (const id of removed) this.replica.delete(id);
    this.cursor = advanceCursor(this.cursor, page.highWater, page.lastSeq, page.hasMore);
    if (!page.hasMore) {
      this.inWalk.clear();
      this.walks += 1;
    }
  }
}

/** The rows of a fragment by id, each as its text. */
export function rowsOf(fragment: string): Map<string, string> {
  const rows = JSON.parse(`[${fragment}]`) as {
    transaction_id: string;
    /** Of a row of the other log, where `transaction_id` names a movement of cash. */
    investment_transaction_id?: string;
  }[];
  return new Map(
    rows.map((shown) => [
      shown.investment_transaction_id ?? shown.transaction_id,
      JSON.stringify(shown),
    ]),
  );
}
