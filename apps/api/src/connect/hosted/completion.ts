import type { SessionRecord } from '../../../../../prisma/sessions/session-record.js';

/** The address to which a finished hosted page redirects the browser; other sessions have no such address. Source: plaid-compat 7. */
export function completionOf({ options }: Pick<SessionRecord, 'options'>): {
  completion_redirect_uri?: string | null;
} {
  return options === null || options.hosted === null
    ? {}
    : { completion_redirect_uri: options.hosted.completionRedirectUri };
}
