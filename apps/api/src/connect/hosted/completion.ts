import { returnAddress } from '../../../../../domain/session/hosted-session.js';
import type { SessionOutcome } from '../../../../../domain/session/session-outcome.js';
import type { SessionRecord } from '../../../../../prisma/links/sessions/session-record.js';

/**
 * The address to which a finished hosted page redirects the browser; other sessions have no such
 * address. Sources: link-lifecycle 2.6, plaid-compat 7.
 */
export function completionOf(
  { sessionId, options }: Pick<SessionRecord, 'sessionId' | 'options'>,
  outcome: SessionOutcome,
): { completion_redirect_uri?: string | null } {
  const hosted = options?.hosted ?? null;
  if (hosted === null) return {};
  const { completionRedirectUri: uri, reportsOutcome } = hosted;
  return {
    completion_redirect_uri:
      uri !== null && reportsOutcome ? returnAddress(uri, { sessionId, outcome }) : uri,
  };
}
