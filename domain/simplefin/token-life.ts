/** The times of a setup token and its credential. Source: decision 0060. */
export interface TokenTimes {
  createdAt: Date;
  claimedAt: Date | null;
  lastUsedAt: Date | null;
  voidedAt: Date | null;
}

/** The time in which a setup token can be claimed. */
export const CLAIM_WITHIN_MS = 24 * 3_600_000;
/** The time in which a credential must be used first: after it, the response of its claim was lost. */
export const USE_WITHIN_MS = 10 * 60_000;
/** Claims that arrive this soon after another one are the same claim, sent twice. */
export const SAME_CLAIM_MS = 1_000;

/** `claimed`: not used yet; `ended`: it can never be used again. */
export type TokenStatus = 'unclaimed' | 'claimed' | 'active' | 'ended';

export function statusOf(token: TokenTimes, now: Date): TokenStatus {
  if (token.voidedAt !== null) return 'ended';
  if (token.lastUsedAt !== null) return 'active';
  const endsAt = expiryOf(token);
  if (endsAt !== null && endsAt <= now) return 'ended';
  return token.claimedAt === null ? 'unclaimed' : 'claimed';
}

/** The time at which it ends unless it is claimed, or used; null = it does not end by itself. */
export function expiryOf({ createdAt, claimedAt, lastUsedAt, voidedAt }: TokenTimes): Date | null {
  if (lastUsedAt !== null || voidedAt !== null) return null;
  return claimedAt === null
    ? new Date(createdAt.getTime() + CLAIM_WITHIN_MS)
    : new Date(claimedAt.getTime() + USE_WITHIN_MS);
}

/**
 * `void`: another claim came before any use. Either its first response was lost or two parties have the
 * setup token, and no one can tell which; so its credential ends.
 */
export type ClaimVerdict = 'claim' | 'refuse' | 'void';

export function judgeClaim(token: TokenTimes, arrivedAt: Date, now: Date): ClaimVerdict {
  const status = statusOf(token, now);
  if (status === 'unclaimed') return 'claim';
  const claimed = token.claimedAt?.getTime() ?? 0;
  return status === 'claimed' && arrivedAt.getTime() > claimed + SAME_CLAIM_MS ? 'void' : 'refuse';
}
