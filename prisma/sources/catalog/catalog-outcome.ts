/** The outcome of a sync of a provider's list. */
export type CatalogOutcome =
  | {
      kind: 'switched';
      /** Usable entries of the list. */
      listed: number;
      added: number;
      changed: number;
      /** Entries that were listed before, but no longer. */
      gone: number;
      /** Entries added separately although institutions may match. */
      doubtful: number;
    }
  /** Too many entries are missing from the list: the old catalog stays. */
  | { kind: 'refused'; listed: number; known: number; missing: number };
