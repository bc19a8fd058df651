import type { Link, Transaction, TransactionsListResult } from '@tributary/node';

/** The place of a row in lists, newest first: by its day, then by its id (native-api 3.6). */
export type Position = Pick<Transaction, 'date' | 'transaction_id'>;

/** Negative if `a` comes before `b`. */
export function inOrder(a: Position, b: Position): number {
  const [dayOfA, dayOfB] = [a.date.slice(0, 10), b.date.slice(0, 10)];
  if (dayOfA !== dayOfB) return dayOfA > dayOfB ? -1 : 1;
  if (a.transaction_id === b.transaction_id) return 0;
  return a.transaction_id < b.transaction_id ? -1 : 1;
}

/** One page of the transactions of a link, counted from 1. */
export type ReadPage = (page: number) => Promise<TransactionsListResult>;

/** The transactions of a link after a position, newest first, read page by page as they are taken. */
export class TransactionWalk {
  readonly #read: ReadPage;
  readonly #size: number;
  #after: Position | null;
  /** The oldest one first, so that taking the newest moves nothing. */
  #rows: Transaction[] = [];
  #next: number | null = 1;
  #pages = 1;
  #link: Link | undefined;

  private constructor(read: ReadPage, size: number, after: Position | null) {
    this.#read = read;
    this.#size = size;
    this.#after = after;
  }

  /** @param size the rows of a page that is not the last */
  static async open(read: ReadPage, size: number, after: Position | null) {
    const walk = new TransactionWalk(read, size, after);
    await walk.#load(1);
    if (walk.#rows.length === 0 && walk.#next !== null) await walk.#seek();
    await walk.fill();
    return walk;
  }

  get link(): Link {
    return this.#link as Link;
  }

  /** The next row; undefined at the end. */
  get first(): Transaction | undefined {
    return this.#rows.at(-1);
  }

  /** True if no row is left, neither here nor on a further page. */
  get isDone(): boolean {
    return this.#rows.length === 0 && this.#next === null;
  }

  take(): Transaction | undefined {
    const row = this.#rows.pop();
    this.#after = row ?? this.#after;
    return row;
  }

  /** Reads until `first` is known. */
  async fill(): Promise<void> {
    while (this.#rows.length === 0 && this.#next !== null) await this.#load(this.#next);
  }

  async #load(page: number): Promise<TransactionsListResult> {
    const result = await this.#read(page);
    const { transactions, total, link } = result;
    this.#link = link;
    // A row that arrives during the walk moves others to the next page, where they are seen again.
    this.#rows = transactions.filter((row) => this.#isAhead(row)).toReversed();
    this.#pages = Math.ceil(total / this.#size);
    this.#next = transactions.length < this.#size || page >= this.#pages ? null : page + 1;
    return result;
  }

  /** Finds the last page that begins at or before the position, after the first one. */
  async #seek(): Promise<void> {
    let [low, high] = [2, this.#pages];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const [row] = (await this.#read(middle)).transactions;
      if (row === undefined || this.#isAhead(row)) high = middle - 1;
      else low = middle;
    }
    this.#next = low;
  }

  #isAhead(row: Transaction): boolean {
    return this.#after === null || inOrder(row, this.#after) > 0;
  }
}
