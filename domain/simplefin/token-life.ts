/** The times of a setup token and its credential. Source: decision 0060. */
export interface TokenTimes {
  /** The end of the key pair that created it; null = none. */
  makerEndsAt: Date | null;
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
  if (token.voidedAt !== null || isOver(token.makerEndsAt, now)) return 'ended';
  if (token.lastUsedAt !== null) return 'active';
  if (isOver(expiryOf(token), now)) return 'ended';
  return token.claimedAt === null ? 'unclaimed' : 'claimed';
}

/**
 * The time at which it ends unless it is claimed, or used, and at the latest with its key pair; null = it does not end
 * by itself.
 */
export function expiryOf(token: TokenTimes): Date | null {
  if (token.voidedAt !== null) return null;
  const [soonest] = [unusedUntil(token), token.makerEndsAt]
    .flatMap((time) => time ?? [])
    .sort((one, other) => one.getTime() - other.getTime());
  return soonest ?? null;
}

function unusedUntil({ createdAt, claimedAt, lastUsedAt }: TokenTimes): Date | null {
  if (lastUsedAt !== null) return null;
  return claimedAt === null
    ? new Date(createdAt.getTime() + CLAIM_WITHIN_MS)
    : new Date(claimedAt.getTime() + USE_WITHIN_MS);
}

const isOver = (end: Date | null, now: Date): boolean => end !== null && end <= now;

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
