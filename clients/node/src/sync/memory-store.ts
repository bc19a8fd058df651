import type { Transaction } from '../generated/types.js';
import type { SyncPosition, SyncStore } from './sync-store.js';

type Rows = Map<string, Transaction>;

/** A store that lives as long as the process: for tests, and for copies that may be read again. */
export interface MemoryStore extends SyncStore {
  /** The copy of a link. */
  transactions(linkId: string): Transaction[];
}

export function memoryStore(): MemoryStore {
  const copies = new Map<string, Rows>();
  const replacements = new Map<string, Rows>();
  const positions = new Map<string, SyncPosition>();
  return {
    load: (linkId) => positions.get(linkId) ?? null,
    commit: (linkId, { upserted, removed, position, replacement }) => {
      const target = replacement === null ? copies : replacements;
      const rows = (replacement?.begins !== true && target.get(linkId)) || new Map();
      target.set(linkId, rows);
      for (const row of upserted) rows.set(row.transaction_id, row);
      for (const id of removed) rows.delete(id);
      if (replacement?.completes === true) {
        copies.set(linkId, rows);
        replacements.delete(linkId);
      }
      positions.set(linkId, position);
    },
    transactions: (linkId) => [...(copies.get(linkId)?.values() ?? [])],
  };
}
