import type {
  Update,
  UpdateResult,
} from '../../../apps/api/src/plaid/transactions/transaction-stream.js';

/**
 * A client of the Plaid layer's stream as its contract describes it: it applies an update when it
 * is complete.
 */
export class StreamReader {
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
