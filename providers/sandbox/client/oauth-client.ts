import * as oauth from 'openid-client';
import { request, type Dispatcher } from 'undici';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import { parseJson, secretHeader, type BankAddress } from './bank-client.js';
import { failureOfResponse, failureOfOAuth, failureOfTransport } from './failure-table.js';
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
 * OAuth with the bank's authorization server, through a certified library and within Tributary's
 * limits.
 */
export interface OAuthClient {
  /** Configuration for one call of this client id. */
  discover(clientId: string, signal: AbortSignal): Promise<oauth.Configuration>;
  /** Registers a client for this redirect URI (RFC 7591). */
  register(redirectUri: string, signal: AbortSignal): Promise<oauth.Configuration>;
  /** Runs a part of the flow and translates every library error into a provider cause. */
  run<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
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
  function reachableUrl(url: string): URL {
    const { origin, pathname, search } = new URL(url);
    if (origin !== new URL(issuer).origin)
      throw new ProviderFailure('malformed', 'The bank returned a URL of another origin.');
    return new URL(`${pathname}${search}`, address.baseUrl);
  }

  function fetchWithin(signal: AbortSignal): oauth.CustomFetch {
    return async (target, { method, headers, body }) => {
      const text = body instanceof URLSearchParams ? body.toString() : body;
      if (typeof text !== 'string' && text !== null && text !== undefined)
        throw new ProviderFailure('internal', 'The request body has an unsupported type.');
      const response = await request(reachableUrl(target), {
        dispatcher,
        method: method as Dispatcher.HttpMethod,
        headers: { ...headers, ...secretHeader(address) },
        body: text ?? null,
        signal,
      }).catch((error: unknown) => {
        throw failureOfTransport(error);
      });
      const bytes = await response.body.arrayBuffer().catch((error: unknown) => {
        throw failureOfTransport(error);
      });
      const { statusCode } = response;
      if (statusCode === 401 || statusCode === 429 || statusCode >= 500) {
        const retryAfter = response.headers['retry-after'];
        throw failureOfResponse('login', statusCode, retryAfter, parseJson(bytes));
      }
      return new Response(bytes.byteLength === 0 ? null : bytes, {
        status: statusCode,
        headers: { 'content-type': String(response.headers['content-type'] ?? '') },
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
    run: (signal, work) => withDeadline(signal, limits.callTimeoutMs, work, failureOf),
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
    'The response of the bank could not be understood: it breaks the rules of OAuth.',
  );
}
