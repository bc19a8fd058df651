import type {
  CallOptions,
  Transaction,
  TransactionsSyncResult,
} from '../../../clients/node/src/index.js';
import { ValidationError } from '../../../clients/node/src/errors.js';

/** A version of a row; an amount of null says that it was removed. */
interface Version {
  seq: number;
  amount: number | null;
}

interface Cursor {
  epoch: number;
  since: number;
  /** The end of the walk; null between two walks. */
  pin: number | null;
}

/**
 * The changes of one link, as `GET /links/{id}/transactions/sync` returns them (native-api 3.6): a
 * walk is pinned to its first page, and a restored backup refuses the cursors of the time it lost.
 */
export class ChangingService {
  private rows = new Map<string, Version>();
  private backup = new Map<string, Version>();
  private seq = 0;
  private epoch = 0;
  /** The cursors of the requests so far. */
  readonly requested: string[] = [];

  change(id: string, amount: number | null): void {
    if (amount === null && !this.rows.has(id)) return;
    this.rows.set(id, { seq: (this.seq += 1), amount });
  }

  keepBackup(): void {
    this.backup = new Map(this.rows);
  }

  /** The rows are those of the backup again, and no earlier cursor is accepted. */
  restore(): void {
    this.rows = new Map(this.backup);
    this.epoch += 1;
  }

  /** The current rows, by id. */
  current(): [string, number][] {
    return [...this.rows]
      .flatMap(([id, { amount }]) => (amount === null ? [] : [[id, amount] as [string, number]]))
      .sort();
  }

  sync(
    _linkId: string,
    { cursor: text, size }: { cursor: string; size: number },
    _options: CallOptions,
  ): Promise<TransactionsSyncResult> {
    this.requested.push(text);
    const cursor = this.read(text);
    if (cursor === null) return Promise.reject(refusedCursor());
    const pin = cursor.pin ?? this.seq;
    const waiting = [...this.rows]
      .filter(([, { seq, amount }]) => seq > cursor.since && (amount !== null || cursor.since > 0))
      .filter(([, { seq }]) => seq <= pin)
      .sort(([, a], [, b]) => a.seq - b.seq);
    const page = waiting.slice(0, size);
    const hasMore = waiting.length > size;
    const last = hasMore ? page.at(-1)?.[1].seq : undefined;
    const next: Cursor = { epoch: this.epoch, since: last ?? pin, pin: hasMore ? pin : null };
    const created = page.flatMap(([id, { amount }]) =>
      amount === null ? [] : [{ transaction_id: id, amount } as Transaction],
    );
    return Promise.resolve({
      transactions: {
        created,
        updated: [],
        removed: page.flatMap(([id, { amount }]) => (amount === null ? [id] : [])),
      },
      cursor: { next: JSON.stringify(next) },
      has_more: hasMore,
      accounts: [],
      link: {} as TransactionsSyncResult['link'],
    });
  }

  private read(text: string): Cursor | null {
    if (text === '') return { epoch: this.epoch, since: 0, pin: null };
    const cursor = JSON.parse(text) as Cursor;
    return cursor.epoch === this.epoch ? cursor : null;
  }
}

/** docs/sync.md, "A cursor that is refused" */
const refusedCursor = () =>
  new ValidationError({
    status: 422,
    code: 'api_error.request.validation_failed',
    message: 'The request is not valid.',
    requestId: undefined,
    documentationUrl: undefined,
    retryAfter: undefined,
    issues: [{ location: ['query', 'cursor'], message: 'Not a cursor.', type: 'invalid' }],
    linkErrorCode: undefined,
  });
