import { UnexpectedResponseError, ValidationError } from '../errors.js';
import type { Transaction, TransactionsSyncResult } from '../generated/types.js';
import type { MoneyForm, WithMoney } from '../money.js';
import type { CallOptions } from '../requests/api-request.js';
import type { SyncPosition, SyncStore } from './sync-store.js';

export interface SyncOptions extends CallOptions {
  /** Changes in a page, 1 to 500; 500 by default. */
  size?: number | undefined;
}

/** The changes that a walk committed. */
export interface SyncSummary {
  pages: number;
  created: number;
  updated: number;
  removed: number;
  /** True if a refused cursor made it begin again. */
  restarted: boolean;
}

/** Reads one page of changes. */
interface SyncSource<Money extends MoneyForm> {
  sync(
    linkId: string,
    query: { cursor: string; size: number },
    options: CallOptions,
  ): Promise<WithMoney<TransactionsSyncResult, Money>>;
}

const MAX_SIZE = 500;
const FIRST: SyncPosition = { cursor: '', restarting: false };

/** Walks through the changes of a link. Source: docs/sync.md, "Keeping a copy". */
export async function syncInto<Money extends MoneyForm>(
  source: SyncSource<Money>,
  linkId: string,
  store: SyncStore<Money>,
  { size = MAX_SIZE, ...options }: SyncOptions = {},
): Promise<SyncSummary> {
  const summary = { pages: 0, created: 0, updated: 0, removed: 0, restarted: false };
  let position = (await store.load(linkId)) ?? FIRST;
  let begins = false;
  for (;;) {
    const query = { cursor: position.cursor, size };
    const page = (await source.sync(linkId, query, options).catch((error: unknown) => {
      if (isRefusedCursor(error) && !summary.restarted) return undefined;
      throw error;
    })) as TransactionsSyncResult | undefined;
    if (page === undefined) {
      summary.restarted = begins = true;
      position = { cursor: '', restarting: true };
      continue;
    }
    const { created, updated, removed } = rowsOf(page);
    const completes = !page.has_more;
    const replacement = position.restarting ? { begins, completes } : null;
    position = { cursor: page.cursor.next, restarting: position.restarting && !completes };
    await store.commit(linkId, {
      upserted: [...created, ...updated] as WithMoney<Transaction, Money>[],
      removed,
      position,
      replacement,
    });
    begins = false;
    summary.pages += 1;
    summary.created += created.length;
    summary.updated += updated.length;
    summary.removed += removed.length;
    if (completes) return summary;
  }
}

function rowsOf({ transactions, cursor }: Partial<TransactionsSyncResult>) {
  const { created, updated, removed } = transactions ?? {};
  if (created !== undefined && updated && removed && typeof cursor?.next === 'string')
    return { created, updated, removed };
  throw new UnexpectedResponseError('The response is not a page of changes.', 200, undefined);
}

/** docs/sync.md, "A cursor that is refused" */
const isRefusedCursor = (error: unknown): boolean =>
  error instanceof ValidationError &&
  error.issues.some(({ location }) => location.join('.') === 'query.cursor');
