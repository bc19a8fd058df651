import type { Transaction } from '../generated/types.js';
import type { MoneyForm, WithMoney } from '../money.js';
import type { SyncPosition, SyncStore } from './sync-store.js';

type Rows<Money extends MoneyForm> = Map<string, WithMoney<Transaction, Money>>;

/** A store that lives as long as the process: for tests, and for copies that may be read again. */
export interface MemoryStore<Money extends MoneyForm = 'number'> extends SyncStore<Money> {
  /** The copy of a link. */
  transactions(linkId: string): WithMoney<Transaction, Money>[];
}

export function memoryStore<Money extends MoneyForm = 'number'>(): MemoryStore<Money> {
  const copies = new Map<string, Rows<Money>>();
  const replacements = new Map<string, Rows<Money>>();
  const positions = new Map<string, SyncPosition>();
  return {
    load: (linkId) => positions.get(linkId) ?? null,
    commit: (linkId, { upserted, removed, position, replacement }) => {
      const target = replacement === null ? copies : replacements;
      const rows = (replacement?.begins !== true && target.get(linkId)) || new Map();
      target.set(linkId, rows);
      for (const row of upserted) rows.set((row as Transaction).transaction_id, row);
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
