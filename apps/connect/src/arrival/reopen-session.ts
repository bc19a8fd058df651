import { CallFailure } from '../session/call-failure.js';
import type { Reopened, SessionClient } from '../session/session-client.js';
import type { OpenRequest } from '../../../../packages/connect-protocol/src/view.js';

/**
 * The session that this browser opened before, or its end. Source: connect 4, "Reopening".
 * @throws CallFailure
 */
export function reopenSession(
  client: Pick<SessionClient, 'reopen'>,
  sessionId: string | null,
  request: OpenRequest,
): Promise<Reopened> {
  // A bookmark, or another browser: only the address in the message opens the session.
  const withoutAddress = new CallFailure('connect_error.address_needed', 401, null);
  if (sessionId === null) return Promise.reject(withoutAddress);
  return client.reopen(sessionId, request).catch((error: unknown) => {
    throw error instanceof CallFailure && [401, 422].includes(error.status)
      ? withoutAddress
      : error;
  });
}
