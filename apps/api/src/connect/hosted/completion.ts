import type { SessionRecord } from '../../../../../prisma/sessions/session-record.js';

/** Where a hosted page redirects the browser when it is done; other sessions have no such address. Source: plaid-compat 7. */
export function completionOf({ options }: Pick<SessionRecord, 'options'>): {
  completion_redirect_uri?: string | null;
} {
  return options === null || options.hosted === null
    ? {}
    : { completion_redirect_uri: options.hosted.completionRedirectUri };
}
