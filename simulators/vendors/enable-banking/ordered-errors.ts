import type { Ledger } from '../ledger/ledger.js';
import { refusal, type ErrorCode } from './errors.js';

interface OrderedError {
  error: ErrorCode;
  /** The beginning of the path. */
  path: string;
  times: number;
}

/** Errors of the vendor's list that tests order for some calls. */
export class OrderedErrors {
  #ordered: OrderedError[] = [];

  constructor(ledger: Ledger) {
    ledger.onReset(() => {
      this.#ordered = [];
    });
  }

  order(error: OrderedError): void {
    this.#ordered.push({ ...error });
  }

  /** @throws Refusal with an ordered error that fits the path */
  meet(path: string): void {
    const fits = this.#ordered.find((ordered) => path.startsWith(ordered.path));
    if (fits === undefined) return;
    fits.times -= 1;
    this.#ordered = this.#ordered.filter(({ times }) => times > 0);
    throw refusal(fits.error);
  }
}
