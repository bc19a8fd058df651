import type { AccountBody, TransactionBody } from '../../../support/actors/response-bodies.js';
import type { AppBackEnd } from '../../../support/actors/link-journey.js';

export interface SyncedChanges {
  created: TransactionBody[];
  updated: TransactionBody[];
  removed: string[];
  /** The copy before the changes. */
  before: ReadonlyMap<string, TransactionBody>;
}

/** The copy that an app keeps of the transactions of a link. */
export class SyncedCopy {
  private rows = new Map<string, TransactionBody>();
  private cursor = '';

  constructor(
    private readonly app: AppBackEnd,
    private readonly linkId: string,
  ) {}

  /** All changes since the last call, applied to the copy. */
  async sync(): Promise<SyncedChanges> {
    const { pages, cursor } = await this.app.walk(this.linkId, { cursor: this.cursor, size: 500 });
    this.cursor = cursor;
    const changes = pages.map(({ transactions }) => transactions);
    const created = changes.flatMap((page) => page.created);
    const updated = changes.flatMap((page) => page.updated);
    const removed = changes.flatMap((page) => page.removed);
    const before = this.rows;
    this.rows = new Map(before);
    for (const row of [...created, ...updated]) this.rows.set(row.transaction_id, row);
    for (const id of removed) this.rows.delete(id);
    return { created, updated, removed, before };
  }

  /** The first day of the copy. */
  get oldest(): string {
    return [...this.rows.values()].map(dayOf).sort()[0] ?? '';
  }

  /** The account, day, signed amount, pending state and text of each row, in a fixed order. */
  async lines(): Promise<string[]> {
    const { accounts } = await this.app.get<{ accounts: AccountBody[] }>(
      `/links/${this.linkId}/accounts`,
    );
    const masks = new Map(accounts.map((it) => [it.account_id, it.account_mask]));
    return [...this.rows.values()]
      .map((row) => {
        const amount = row.type === 'debit' ? -row.amount : row.amount;
        const mask = masks.get(row.account_id);
        return [mask, dayOf(row), amount, row.pending, row.raw_description].join(' ');
      })
      .sort();
  }
}

export const dayOf = ({ date }: Pick<TransactionBody, 'date'>): string => date.slice(0, 10);
