import type { CursorKeys } from '../../../../../prisma/base/keys/cursor-key.repository.js';
import type { ChangeLogRepository } from '../../../../../prisma/links/transactions/change-log.repository.js';
import { mapInTurns } from '../../http/in-turns.js';
import { pendingId } from '../shapes/pending-id.js';
import {
  presentTransaction,
  type PlaidTransaction,
  type TransactionOptions,
} from '../shapes/plaid-transaction.js';
import type { StoredTransaction } from '../shapes/stored-transaction.js';
import { changesOf, type Change } from '../../../../../domain/plaid/change-view.js';
import {
  decodeStreamCursor,
  encodeStreamCursor,
  STREAM_START,
  type StreamCursor,
  type StreamName,
} from './stream-cursor.js';

export interface Stream extends StreamName {
  linkPk: bigint;
  /** Accounts whose transactions are served (plaid-compat 3.5). */
  servedAccountIds: readonly string[];
}

export interface UpdateQuery {
  /** From the request: a cursor, `now`, or null. */
  cursor: string | null;
  /** The maximum number of entries of all three lists together. */
  count: number;
  options: TransactionOptions;
}

export interface Update {
  added: PlaidTransaction[];
  modified: PlaidTransaction[];
  removed: { transaction_id: string; account_id: string }[];
  /** The accounts this update refers to. */
  accountIds: string[];
  nextCursor: string;
  hasMore: boolean;
}

/** `mutated`: the log grew while the client was paging. `foreign`: the cursor is not valid for this stream. `gone`: the link was deleted. */
export type UpdateResult =
  | { kind: 'update'; update: Update }
  | { kind: 'mutated' }
  | { kind: 'foreign' }
  | { kind: 'gone' };

const NOTHING_AFTER = 2n ** 63n - 1n;
/** One more entry shows whether there is more; another may hold only the change that was returned last. */
const ENTRIES_BEYOND = 2;

/** The change log in the form of /transactions/sync. Source: plaid-compat 5.4. */
export class TransactionStream {
  constructor(
    private readonly log: Pick<ChangeLogRepository, 'read' | 'bodies'>,
    private readonly keys: Pick<CursorKeys, 'currentKeyId' | 'mac'>,
  ) {}

  async next(stream: Stream, { cursor: text, count, options }: UpdateQuery): Promise<UpdateResult> {
    if (text === 'now') return this.fromNow(stream);
    const cursor =
      text === null || text === '' ? STREAM_START : decodeStreamCursor(text, stream, this.keys.mac);
    if (cursor === null) return { kind: 'foreign' };
    const { origin, base, inProgress } = cursor;
    const after = inProgress === null ? base : beforePosition(inProgress.position, base);
    const part = await this.log.read({
      ...stream,
      origin,
      base,
      after,
      limit: count + ENTRIES_BEYOND,
      given: [origin, base, ...(inProgress === null ? [] : [after, inProgress.horizon])],
    });
    if (part === null) return { kind: 'gone' };
    if (part.isVoid || part.head < base || part.head < (inProgress?.horizon ?? 0n))
      return { kind: 'foreign' };
    if (inProgress !== null && part.head > inProgress.horizon) return { kind: 'mutated' };
    const given = inProgress?.position ?? 0n;
    const changes = changesOf(part.rows, { origin, base }).filter(
      ({ position }) => position > given && position <= lastPosition(part.readTo),
    );
    const shown = changes.slice(0, count);
    const last = shown.at(-1);
    const hasMore = last !== undefined && changes.length > shown.length;
    const next: StreamCursor = hasMore
      ? { origin, base, inProgress: { position: last.position, horizon: part.head } }
      : { origin, base: part.head, inProgress: null };
    return {
      kind: 'update',
      update: {
        ...(await this.present(stream, shown, options)),
        nextCursor: this.write(next, stream),
        hasMore,
      },
    };
  }

  /** Rule 8: skips all existing changes. */
  private async fromNow(stream: Stream): Promise<UpdateResult> {
    const part = await this.log.read({
      ...stream,
      origin: 0n,
      base: 0n,
      after: NOTHING_AFTER,
      limit: 1,
      given: [],
    });
    if (part === null) return { kind: 'gone' };
    const nextCursor = this.write({ origin: part.head, base: part.head, inProgress: null }, stream);
    return {
      kind: 'update',
      update: { added: [], modified: [], removed: [], accountIds: [], nextCursor, hasMore: false },
    };
  }

  private async present(
    { linkPk }: Stream,
    changes: readonly Change[],
    options: TransactionOptions,
  ) {
    const bodies = await this.log.bodies(
      linkPk,
      changes.filter(({ kind }) => kind !== 'removed').map(({ row }) => row.seq),
    );
    const living = async (kind: Change['kind']) => {
      const shown = changes.filter((change) => change.kind === kind);
      const presented = await mapInTurns(shown, ({ row: { seq, createdPending, postedSeq } }) => {
        const body = bodies.get(seq);
        // A link erased in the meantime has no bodies.
        return body === undefined
          ? []
          : [
              presentTransaction(
                JSON.parse(body) as StoredTransaction,
                { createdPending, posted: postedSeq !== null },
                options,
              ),
            ];
      });
      return presented.flat();
    };
    return {
      added: await living('added'),
      modified: await living('modified'),
      removed: changes
        .filter(({ kind }) => kind === 'removed')
        .map(({ record, row: { transactionId, accountId } }) => ({
          transaction_id: record === 'pending' ? pendingId(transactionId) : transactionId,
          account_id: accountId,
        })),
      accountIds: [...new Set(changes.map(({ row }) => row.accountId))],
    };
  }

  private write(cursor: StreamCursor, stream: StreamName): string {
    return encodeStreamCursor(cursor, stream, this.keys.currentKeyId, this.keys.mac);
  }
}

/** A log position such that reading from it misses no change after `position`, which is `2·seq` or `2·seq + 1`. */
function beforePosition(position: bigint, base: bigint): bigint {
  const seq = (position - 1n) / 2n;
  return seq > base ? seq : base;
}

function lastPosition(seq: bigint): bigint {
  return 2n * seq + 1n;
}
