/** A value as the bank sends it, which need not make sense. */
type RawScalar = string | number | boolean | null;
type RawObject = Readonly<Record<string, RawScalar>>;
export type RawValue = RawScalar | RawObject | readonly RawObject[];

/** The position that a step moves, the day in the customer's world, and the name of the movement. */
interface Moved {
  key: string;
  day: number;
  accountId: string;
  /** The key of its security. */
  security: string;
  source: string | null;
}

/** A step of a script that happened. Figures are exact decimals in main currency. */
export type HoldingsChange =
  | (Moved & { verb: 'trade'; quantity: string; price: string; fees: string | null })
  | (Moved & { verb: 'dividend'; amount: string; taxes: string | null })
  /** Of all positions of the security; `ratio` = the units that one becomes. */
  | (Omit<Moved, 'accountId' | 'source'> & { verb: 'split'; ratio: string })
  | { verb: 'rename'; security: string; name?: string | null; symbol?: string | null }
  /** `holding` is the first id of the row. */
  | { verb: 'set'; holding: string; fields: Readonly<Record<string, RawValue>> }
  | { verb: 'drop'; holding: string }
  | { verb: 'reissue_ids' };
