/** What a sync did with a provider's list. */
export type CatalogueOutcome =
  | {
      kind: 'switched';
      /** Usable entries of the list. */
      listed: number;
      added: number;
      changed: number;
      /** Listed before, and no more. */
      gone: number;
      /** Added apart from institutions that they may be. */
      doubtful: number;
    }
  /** Too much is missing from the list: the old catalogue stays. */
  | { kind: 'refused'; listed: number; known: number; missing: number };
