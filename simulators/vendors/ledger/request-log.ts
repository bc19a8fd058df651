import type { VendorName } from '../vendors.js';

/** A request that reached an address of a vendor; without values of headers and without bodies. */
export interface RequestRecord {
  vendor: VendorName;
  method: string;
  path: string;
  query: Readonly<Record<string, string>>;
  /** In lower case, sorted. */
  headerNames: string[];
  /** By the clock of the ledger. */
  at: string;
  misbehavior: string | null;
}

/** The newest requests, so that tests can count calls. */
export class RequestLog {
  static readonly MAX_RECORDS = 20_000;
  #records: RequestRecord[] = [];

  add(record: RequestRecord): void {
    this.#records.push(record);
    if (this.#records.length > RequestLog.MAX_RECORDS) this.#records.shift();
  }

  of(vendor: VendorName): RequestRecord[] {
    return this.#records.filter((record) => record.vendor === vendor);
  }

  clear(vendor: VendorName): void {
    this.#records = this.#records.filter((record) => record.vendor !== vendor);
  }
}
