import { Decimal } from 'decimal.js';
import type { FetchedTransaction } from '../../../domain/refresh/fetched-data.js';
import { row } from '../../support/fixtures/stored-link.js';

/** A small bank whose rows change at random. The same seed produces the same story. */
export class SimulatedBank {
  private readonly rows = new Map<string, FetchedTransaction>();
  private made = 0;

  constructor(
    private readonly random: () => number,
    private readonly account: string,
  ) {}

  /** One change: a new row, a changed one, a pending one that posts, or one that disappears. */
  change(): void {
    const ids = [...this.rows.keys()];
    const id = ids[Math.floor(this.random() * ids.length)];
    const dice = this.random();
    if (id === undefined || dice < 0.4 || ids.length < 20) this.insert();
    else if (dice < 0.6)
      this.amend(id, { amount: new Decimal(Math.floor(this.random() * 10_000)).div(100) });
    else if (dice < 0.8) this.amend(id, { pending: false });
    else this.rows.delete(id);
    if (this.rows.size > 400) this.rows.delete(ids[0] ?? '');
  }

  snapshot(): FetchedTransaction[] {
    return [...this.rows.values()];
  }

  private insert(): void {
    this.made += 1;
    // Some ids return after they disappeared. To the service those are new transactions.
    const id = `${this.account}-${this.random() < 0.2 ? Math.floor(this.random() * this.made) : this.made}`;
    const day = 1 + Math.floor(this.random() * 28);
    this.rows.set(
      id,
      row(id, {
        pending: this.random() < 0.5,
        date: `2026-02-${String(day).padStart(2, '0')}`,
        description: `${this.made}`,
        providerAccountId: this.account,
      }),
    );
  }

  private amend(id: string, fields: Partial<FetchedTransaction>): void {
    const before = this.rows.get(id);
    if (before !== undefined) this.rows.set(id, { ...before, ...fields });
  }
}
