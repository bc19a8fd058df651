import type { ConnectError } from '../../connect-protocol/src/payloads.js';

/** Errors after which a token opens nothing more, or not the session that was continued. Source: connect 6. */
const REFUSALS = new Set([
  'connect_error.invalid_session_token',
  'connect_error.oauth_state_invalid',
  'connect_error.session_closed',
  'connect_error.session_expired',
]);

/** Whether a token that an SDK kept is forgotten, so that the next return does not fail for the same reason. */
export function refusesToken({ error_id: errorId }: ConnectError): boolean {
  return REFUSALS.has(errorId);
}
