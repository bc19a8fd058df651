import { derivedId } from './draws.js';
import { generateLedger } from './generate-ledger.js';
import type { VendorName } from '../vendors.js';
import type { Account, Bank, Customer, LedgerData, Row } from './ledger.types.js';
import { RequestLog } from './request-log.js';
import { Misbehaviors } from './scripts/misbehaviors.js';
import { UntidyAnswers } from './scripts/untidy-answers.js';

export interface LedgerOptions {
  /** The same seed produces the same ledger on the same day. */
  seed?: string;
  /** Fixes the clock; missing = real time. */
  now?: Date;
}

/** A missing object or an impossible order: the text is for the author of the test. */
export class LedgerError extends Error {}

/**
 * The data behind all vendors: banks, customers, accounts, rows, a clock, and the orders of
 * scripts. Rows are generated once, for the day on which the ledger is created or reset; moving the clock adds
 * none.
 */
export class Ledger {
  data: LedgerData;
  /** Every listing of an account returns its rows under ids that differ from the previous one. */
  renewsIdsAlways = false;
  readonly requests = new RequestLog();
  readonly misbehaviors = new Misbehaviors();
  readonly untidyAnswers = new UntidyAnswers();
  readonly #seed: string;
  #fixedNow: Date | null;
  readonly #startedAt: Date | null;
  readonly #consents = new Map<string, number>();
  readonly #quotaHits = new Map<string, Date>();
  readonly #resetListeners: (() => void)[] = [];
  #idsMade = 0;

  constructor({ seed = 'tributary', now }: LedgerOptions = {}) {
    this.#seed = seed;
    this.#startedAt = now ?? null;
    this.#fixedNow = this.#startedAt;
    this.data = generateLedger(seed, this.now());
  }

  now(): Date {
    return this.#fixedNow ?? new Date();
  }

  /** @param now null = real time */
  setTime(now: Date | null): void {
    this.#fixedNow = now;
  }

  /** Restores the state of the start, also of the clock and the vendors. */
  reset(): void {
    this.#fixedNow = this.#startedAt;
    this.#consents.clear();
    this.#quotaHits.clear();
    this.misbehaviors.clear();
    this.untidyAnswers.clear();
    this.renewsIdsAlways = false;
    this.#idsMade = 0;
    this.data = generateLedger(this.#seed, this.now());
    for (const listener of this.#resetListeners) listener();
  }

  onReset(listener: () => void): void {
    this.#resetListeners.push(listener);
  }

  /** A fresh part for ids, different at every call and the same after a reset. */
  nextIdPart(): string {
    this.#idsMade += 1;
    return `${this.#seed}-${this.#idsMade}`;
  }

  renewId(row: Row): void {
    row.id = derivedId('renewed', row.id, this.nextIdPart());
  }

  /** Vendors call it before they list the rows of an account. */
  startListing({ rows }: Account): void {
    if (this.renewsIdsAlways) for (const row of rows) this.renewId(row);
  }

  customer(id: string): Customer {
    return found(
      this.data.customers.find((customer) => customer.id === id),
      `customer ${id}`,
    );
  }

  bank(id: string): Bank {
    return found(
      this.data.banks.find((bank) => bank.id === id),
      `bank ${id}`,
    );
  }

  account(id: string): Account {
    const accounts = this.data.customers.flatMap(({ connections }) =>
      connections.flatMap((connection) => connection.accounts),
    );
    return found(
      accounts.find((account) => account.id === id),
      `account ${id}`,
    );
  }

  /** The banks of a customer that a vendor reads, each with the accounts there. */
  connectionsAt(vendor: VendorName, customerId: string): { bank: Bank; accounts: Account[] }[] {
    return this.customer(customerId)
      .connections.map(({ bankId, accounts }) => ({ bank: this.bank(bankId), accounts }))
      .filter(({ bank }) => bank.vendors.includes(vendor));
  }

  /**
   * A consent keeps the number that was current when it was given; `end_consent` raises the
   * number, and all earlier consents have ended.
   */
  consentNumber(vendor: VendorName, customerId: string): number {
    return this.#consents.get(`${vendor}/${customerId}`) ?? 0;
  }

  endConsents(vendor: VendorName, customerId: string): void {
    this.#consents.set(`${vendor}/${customerId}`, this.consentNumber(vendor, customerId) + 1);
  }

  /** Every quota of the customer at the vendor is used up until then. */
  exhaustQuota(vendor: VendorName, customerId: string, until: Date): void {
    this.#quotaHits.set(`${vendor}/${customerId}`, until);
  }

  /** The time until which a script declared the quota used up, or null. */
  quotaExhaustedUntil(vendor: VendorName, customerId: string): Date | null {
    const until = this.#quotaHits.get(`${vendor}/${customerId}`);
    return until !== undefined && until > this.now() ? until : null;
  }
}

function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new LedgerError(`There is no ${what}.`);
  return value;
}
