import * as oauth from 'openid-client';
import { request, type Dispatcher } from 'undici';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import { parseJson, secretHeader, type BankAddress } from './bank-client.js';
import { failureOfAnswer, failureOfOAuth, failureOfTransport } from './failure-table.js';
import { withDeadline, type BankHttpLimits } from '../../http/http-limits.js';

export interface OAuthClientParts {
  /** The bank's URL for browsers, which is also its OAuth issuer. */
  issuer: string;
  /** The bank's API, which also serves its OAuth endpoints. */
  address: BankAddress;
  limits: BankHttpLimits;
  dispatcher: Dispatcher;
}

/**
 * OAuth with the bank's authorization server, through a certified library and within our limits.
 */
export interface OAuthClient {
  /** Configuration for one call of this client id. */
  discover(clientId: string, signal: AbortSignal): Promise<oauth.Configuration>;
  /** Registers a client for this redirect URI (RFC 7591). */
  register(redirectUri: string, signal: AbortSignal): Promise<oauth.Configuration>;
  /** Runs a part of the flow and translates every library error into a provider cause. */
  run<T>(signal: AbortSignal, talk: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

export function createOAuthClient({
  issuer,
  address,
  limits,
  dispatcher,
}: OAuthClientParts): OAuthClient {
  const insecure = issuer.startsWith('http:') ? [oauth.allowInsecureRequests] : [];
  const optionsFor = (signal: AbortSignal): oauth.DynamicClientRegistrationRequestOptions => ({
    execute: [...insecure, oauth.enableNonRepudiationChecks],
    [oauth.customFetch]: fetchWithin(signal),
  });

  /**
   * Sends requests for the issuer's URL to the bank's API, because browsers may know the bank by
   * another name.
   */
  function reachable(named: string): URL {
    const { origin, pathname, search } = new URL(named);
    if (origin !== new URL(issuer).origin)
      throw new ProviderFailure('malformed', 'The bank names an address that is not its own.');
    return new URL(`${pathname}${search}`, address.baseUrl);
  }

  function fetchWithin(signal: AbortSignal): oauth.CustomFetch {
    return async (target, { method, headers, body }) => {
      const text = body instanceof URLSearchParams ? body.toString() : body;
      if (typeof text !== 'string' && text !== null && text !== undefined)
        throw new ProviderFailure('internal', 'The request has a body of a kind we do not send.');
      const answer = await request(reachable(target), {
        dispatcher,
        method: method as Dispatcher.HttpMethod,
        headers: { ...headers, ...secretHeader(address) },
        body: text ?? null,
        signal,
      }).catch((error: unknown) => {
        throw failureOfTransport(error);
      });
      const bytes = await answer.body.arrayBuffer().catch((error: unknown) => {
        throw failureOfTransport(error);
      });
      const { statusCode } = answer;
      if (statusCode === 401 || statusCode === 429 || statusCode >= 500) {
        const retryAfter = answer.headers['retry-after'];
        throw failureOfAnswer('login', statusCode, retryAfter, parseJson(bytes));
      }
      return new Response(bytes.byteLength === 0 ? null : bytes, {
        status: statusCode,
        headers: { 'content-type': String(answer.headers['content-type'] ?? '') },
      });
    };
  }

  return {
    discover: (clientId, signal) =>
      oauth.discovery(new URL(issuer), clientId, undefined, oauth.None(), optionsFor(signal)),
    register: (redirectUri, signal) =>
      oauth.dynamicClientRegistration(
        new URL(issuer),
        {
          client_name: 'Tributary',
          redirect_uris: [redirectUri],
          token_endpoint_auth_method: 'none',
          grant_types: ['authorization_code'],
          response_types: ['code'],
        },
        oauth.None(),
        // RFC 7591, 3: the initial access token.
        { ...optionsFor(signal), initialAccessToken: address.secret },
      ),
    run: (signal, talk) => withDeadline(signal, limits.callTimeoutMs, talk, failureOf),
  };
}

function failureOf(error: unknown): ProviderFailure {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ProviderFailure) return cause;
    if (
      cause instanceof oauth.AuthorizationResponseError ||
      cause instanceof oauth.ResponseBodyError
    )
      return failureOfOAuth(cause.error);
  }
  return new ProviderFailure(
    'malformed',
    'The answer of the bank could not be understood: it breaks the rules of OAuth.',
  );
}
