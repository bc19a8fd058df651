import type { Host } from '../host/host.js';
import { CallFailure } from '../session/call-failure.js';
import type { Reopened, SessionClient } from '../session/session-client.js';
import type { Device } from '../../../../packages/connect-protocol/src/init.js';
import type { OpenRequest } from '../../../../packages/connect-protocol/src/view.js';

/** `isReturn`: this window continues with the return from the bank. */
type Opened = Reopened & { isReturn?: true };

/**
 * connect 4: bootstrap; at `/continue` the return from the bank in a window that did not start it (connect 7).
 * @throws CallFailure
 */
export async function openSession(
  client: SessionClient,
  { init, origin, reopen }: Pick<Host, 'init' | 'origin' | 'reopen'>,
  person: { device: Device; locale: string },
): Promise<Opened> {
  const { linkSessionToken: token, continueUrl, platform, sdk } = init;
  const request: OpenRequest = { origin, platform, sdk, ...person };
  if (continueUrl !== null) {
    try {
      return { view: await client.resume(continueUrl, token, request), isReturn: true };
    } catch (error) {
      // The return page was reloaded: its address is used up, but the holder of the token or of the
      // cookie may continue (connect 7).
      if (
        (token === null && reopen === undefined) ||
        !(error instanceof CallFailure) ||
        error.errorId !== 'connect_error.oauth_state_invalid'
      )
        throw error;
    }
  }
  if (token !== null) return { view: await client.open(token, request) };
  if (reopen !== undefined) return reopen(client, request);
  throw new CallFailure('connect_error.invalid_session_token', 401, null);
}
