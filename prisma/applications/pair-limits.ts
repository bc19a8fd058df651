import type { Restriction } from '../../domain/api/environment.js';
import { scopesOfPair, type Scope } from '../../domain/api/scopes.js';

/** The columns of a key pair that limit it, as statements return them. */
export interface PairColumns {
  pair_scopes: string[] | null;
  restriction: Restriction | null;
}

export function limitsOfPair({ pair_scopes: chosen, restriction }: PairColumns): {
  scopes: readonly Scope[];
  only: Restriction | undefined;
} {
  return {
    scopes: scopesOfPair(chosen, { isRestricted: restriction !== null }),
    only: restriction ?? undefined,
  };
}
