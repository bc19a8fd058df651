import { byAdapter } from '../adapters/by-adapter.js';

/** What stands on the other side in the tests of an adapter. */
export interface Counterpart {
  /** Which part of the adapter; null = all of it. */
  part: string | null;
  /** 1: a simulator of our own. 3: independent software. Levels 4 and 5 come from recordings. */
  level: 1 | 3;
  what: string;
  /** The folder of the counterpart. */
  folder: string;
  /** The package of others that a counterpart of level 3 is made of; its folder imports it. */
  package?: string;
}

/** Software of others that agrees with our simulator, and the test that lets it. */
export interface Confirmation {
  what: string;
  test: string;
}

/** What no run can find out about the proof of an adapter. */
export interface AdapterProof {
  /** Who has not been tried yet. */
  vendor: string;
  counterparts: readonly Counterpart[];
  confirmations: readonly Confirmation[];
}

/** Of every adapter. */
export const ADAPTER_PROOFS = await byAdapter<AdapterProof>('proof');
