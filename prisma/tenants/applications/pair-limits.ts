import type { Restriction } from '../../../domain/api/environment.js';
import { LIMITED_PAIR_PERCENT, type PairShare } from '../../../domain/limits/pair-share.js';
import { scopesOfPair, type Scope } from '../../../domain/api/scopes.js';

/** The columns of a key pair that limit it, as statements return them. */
export interface PairColumns {
  pair_scopes: string[] | null;
  restriction: Restriction | null;
  share_percent: number | null;
}

/** @param isConsole whether the console calls with it */
export function limitsOfPair(
  pair: PairColumns & { client_id: string },
  { isConsole = false } = {},
): {
  scopes: readonly Scope[];
  only: Restriction | undefined;
  share: PairShare | undefined;
  isConsole: boolean;
} {
  const { pair_scopes: chosen, restriction } = pair;
  const percent = isConsole ? (pair.share_percent ?? 100) : percentOfPair(pair);
  return {
    share: percent === 100 ? undefined : { clientId: pair.client_id, percent },
    scopes: scopesOfPair(chosen, { isRestricted: restriction !== null }),
    only: restriction ?? undefined,
    isConsole,
  };
}

/** A pair with only an end has the limits of its app. */
export function percentOfPair({
  pair_scopes: scopes,
  restriction,
  share_percent: chosen,
}: PairColumns): number {
  return chosen ?? (scopes === null && restriction === null ? 100 : LIMITED_PAIR_PERCENT);
}
