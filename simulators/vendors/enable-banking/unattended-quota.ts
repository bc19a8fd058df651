import type { Ledger } from '../ledger/ledger.js';
import { refusal } from './errors.js';

const DAY_MS = 86_400_000;
const MAX_UNATTENDED_CALLS = 4;

/** Calls without the end user: four within 24 hours for each account and resource (EBA). */
export class UnattendedQuota {
  readonly #calls = new Map<string, number[]>();

  constructor(private readonly ledger: Ledger) {
    ledger.onReset(() => this.#calls.clear());
  }

  /** @throws Refusal 429 for the fifth call */
  use(accountId: string, resource: string): void {
    const now = this.ledger.now().getTime();
    const key = `${accountId}/${resource}`;
    const calls = (this.#calls.get(key) ?? []).filter((at) => at > now - DAY_MS);
    if (calls.length >= MAX_UNATTENDED_CALLS) {
      throw refusal('ASPSP_RATE_LIMIT_EXCEEDED', 'Daily access limit without the PSU is used up');
    }
    this.#calls.set(key, [...calls, now]);
  }
}
