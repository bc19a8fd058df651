import { byAdapter } from '../adapters/by-adapter.js';

/** The counterpart in the tests of an adapter. */
export interface Counterpart {
  /** The part of the adapter that it tests; null means all of it. */
  part: string | null;
  /** 1: a simulator of our own. 3: independent software. Levels 4 and 5 come from recordings. */
  level: 1 | 3;
  what: string;
  /** The folder of the counterpart. */
  folder: string;
  /** The third-party package of which a counterpart of level 3 is made. Its folder imports it. */
  package?: string;
}

/** Third-party software that agrees with our simulator, and the test that proves it. */
export interface Confirmation {
  what: string;
  test: string;
}

/** Information about the proof of an adapter that no run can produce. */
export interface AdapterProof {
  /** The vendors that have not been tried yet. */
  vendor: string;
  counterparts: readonly Counterpart[];
  confirmations: readonly Confirmation[];
}

/** Of every adapter. */
export const ADAPTER_PROOFS = await byAdapter<AdapterProof>('proof');
