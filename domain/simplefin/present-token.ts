import { apiTimestamp, apiTimestampOrNull } from '../api/timestamps.js';
import { expiryOf, statusOf, type TokenTimes } from './token-life.js';

/** The wire form of a SimpleFIN token, without its secrets. Source: native-api 3.11. */
export function presentSimplefinToken(
  token: TokenTimes & { tokenId: string; name: string },
  now: Date,
) {
  return {
    token_id: token.tokenId,
    name: token.name,
    status: statusOf(token, now),
    created_at: apiTimestamp(token.createdAt),
    expires_at: apiTimestampOrNull(expiryOf(token)),
    claimed_at: apiTimestampOrNull(token.claimedAt),
    last_used_at: apiTimestampOrNull(token.lastUsedAt),
  };
}
