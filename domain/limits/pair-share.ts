/** The part that a key pair may take of the limits of its app. Source: native-api 8. */
export interface PairShare {
  clientId: string;
  percent: number;
}

/** Of a pair that is limited to scopes, users or links, unless the operator chose another one. */
export const LIMITED_PAIR_PERCENT = 25;

/** Of a limit that counts whole things: at least one. */
export function wholeShare(limit: number, percent: number): number {
  return Math.max(1, Math.floor((limit * percent) / 100));
}
