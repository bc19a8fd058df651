import type { SessionRecord } from '../../../../../prisma/sessions/session-record.js';

/**
 * Where a hosted page redirects the browser when it is done; only sessions of the compatibility
 * layer have it. Source: plaid-compat 7.
 */
export function completionOf({ plaid }: Pick<SessionRecord, 'plaid'>): {
  completion_redirect_uri?: string | null;
} {
  return plaid === null || plaid.hosted === null
    ? {}
    : { completion_redirect_uri: plaid.hosted.completionRedirectUri };
}
