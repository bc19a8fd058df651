import { ProviderFailure } from '../../../domain/errors/provider-failure.js';

const DOWN = new Set(['server_error', 'temporarily_unavailable']);

/**
 * The authorization code in the callback address.
 * @throws ProviderFailure `user_denied` and others for a refusal; `internal` for a foreign or
 * missing `state`, an `iss`, which the vendor does not send (RFC 9207, 2.4), or a missing code
 */
export function codeOf(callbackUrl: string, expectedState: string): string {
  const { searchParams: returned } = new URL(callbackUrl);
  const states = returned.getAll('state');
  if (states.length !== 1 || states[0] !== expectedState)
    throw new ProviderFailure('internal', 'The callback belongs to another login.');
  if (returned.has('iss'))
    throw new ProviderFailure('internal', 'The callback names another server as its issuer.');
  const error = returned.get('error');
  if (error !== null) throw refusalOf(error);
  const codes = returned.getAll('code');
  const [code = ''] = codes;
  if (codes.length !== 1 || code === '')
    throw new ProviderFailure('internal', 'The callback does not contain a code.');
  return code;
}

function refusalOf(error: string): ProviderFailure {
  if (error === 'access_denied')
    return new ProviderFailure('user_denied', 'The user did not allow access at the bank.');
  if (DOWN.has(error))
    return new ProviderFailure('institution_down', 'The bank could not complete the login.');
  return new ProviderFailure('internal', 'The login ended with an unknown error.');
}
