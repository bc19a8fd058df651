import type { ClientSettings, KeyPair } from '../client-options.js';
import {
  AuthenticationError,
  ConfigurationError,
  ConnectionError,
  TributaryError,
} from '../errors.js';
import { apiVersion } from '../generated/api-version.js';
import { version } from '../generated/version.js';
import { orAborted, wait } from './abortable.js';
import { AccessToken, type IssuedToken } from './access-token.js';
import {
  queryOf,
  type ApiRequest,
  type CallOptions,
  type KeyedCallOptions,
} from './api-request.js';
import { openOwnConnection } from './own-connection.js';
import { readError, readJson } from './read-response.js';
import { isHarmlessTwice, waitBeforeRetry, type Repeatability } from './retry-policy.js';

/** One HTTP request, with the limits of its call. */
interface Attempt<T> extends ApiRequest, Repeatability {
  method: ApiRequest['method'];
  headers: Record<string, string>;
  options: CallOptions;
  read: (response: Response) => Promise<T>;
}

/** Sends requests with the token of the key pair, and repeats what may be repeated. */
export class Requester {
  readonly #settings: ClientSettings;
  readonly #token: AccessToken;

  constructor(settings: ClientSettings) {
    this.#settings = settings;
    this.#token = new AccessToken(() => this.#requestToken());
  }

  /** @returns the body of the response; null where there is none */
  json<T>(request: ApiRequest, options?: KeyedCallOptions): Promise<T> {
    return this.#send(request, options, readJson as (response: Response) => Promise<T>);
  }

  text(request: ApiRequest, options?: CallOptions): Promise<string> {
    return this.#send(request, options, (response) => response.text());
  }

  /** @returns the body as it arrives; it fails if the connection ends before the response is complete */
  stream(request: ApiRequest, options?: CallOptions): Promise<ReadableStream<Uint8Array>> {
    return this.#send(request, options, ({ body }) =>
      body === null
        ? Promise.reject(new ConnectionError('The response is empty.', 'connection_failed'))
        : Promise.resolve(body),
    );
  }

  async #send<T>(
    request: ApiRequest,
    options: KeyedCallOptions = {},
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    // One key for all attempts, so that the service recognizes a repetition.
    const key = request.isKeyed ? idempotencyKey(options) : undefined;
    const send = (token?: string): Promise<T> => {
      const headers = {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      };
      const isIdempotent = key !== undefined;
      return this.#withRetries({ ...request, isIdempotent, headers, options, read });
    };
    return request.isPublic ? send() : this.#authorized(send, options.signal);
  }

  /** A token may have expired or been revoked: the call is repeated once with a new one. */
  async #authorized<T>(
    send: (token: string) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const token = await orAborted(this.#token.get(), signal);
    try {
      return await send(token.value);
    } catch (error) {
      if (!(error instanceof AuthenticationError) || token.isNew) throw error;
    }
    this.#token.drop(token.value);
    const { value } = await orAborted(this.#token.get(), signal);
    return send(value);
  }

  async #requestToken(): Promise<IssuedToken> {
    const { keyPair } = this.#settings;
    if (keyPair === undefined)
      throw new ConfigurationError(
        'This call needs a key pair: pass clientId and clientSecret, or set CLIENT_ID and CLIENT_SECRET.',
      );
    const issued = await this.#withRetries<unknown>({
      method: 'POST',
      path: '/auth/token',
      body: tokenForm(keyPair),
      isIdempotent: true,
      headers: {},
      options: {},
      read: readJson,
    });
    if (isIssuedToken(issued)) return issued;
    throw new ConnectionError('The token call returned no token.', 'connection_failed');
  }

  async #withRetries<T>(attempt: Attempt<T>): Promise<T> {
    const { options } = attempt;
    const retries = options.maxRetries ?? this.#settings.maxRetries;
    for (let retry = 0; ; retry += 1) {
      try {
        return await this.#attempt(attempt);
      } catch (error) {
        const delay = waitBeforeRetry(error, attempt, retry, Math.random);
        if (retry >= retries || delay === undefined) throw error;
        await wait(delay, options.signal);
      }
    }
  }

  async #attempt<T>(attempt: Attempt<T>): Promise<T> {
    const { method, path, query, body, headers, options, read } = attempt;
    const { baseUrl, headerPrefix, fetch } = this.#settings;
    const { signal, timeout = this.#settings.timeout } = options;
    const overdue = new AbortController();
    const timer = setTimeout(() => overdue.abort(), timeout);
    const connection = isHarmlessTwice(attempt) ? undefined : openOwnConnection();
    try {
      const response = await fetch(`${baseUrl}${path}${queryOf(query)}`, {
        method,
        headers: {
          accept: 'application/json',
          'user-agent': `tributary-node/${version}`,
          [`${headerPrefix}-version`]: apiVersion,
          ...(body === undefined || body instanceof URLSearchParams
            ? {}
            : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined || body instanceof URLSearchParams ? body : JSON.stringify(body),
        // The API has no redirects; one to elsewhere must not receive the token.
        redirect: 'manual',
        signal: signal === undefined ? overdue.signal : AbortSignal.any([signal, overdue.signal]),
        ...connection?.init,
      });
      if (!response.ok) throw await readError(response, `${headerPrefix}-request-id`);
      return await read(response);
    } catch (error) {
      if (error instanceof TributaryError) throw error;
      signal?.throwIfAborted();
      if (overdue.signal.aborted)
        throw new ConnectionError(
          `No complete response from ${baseUrl} in ${timeout} ms.`,
          'timeout',
        );
      throw new ConnectionError(`No complete response from ${baseUrl}.`, 'connection_failed', {
        cause: error,
      });
    } finally {
      clearTimeout(timer);
      connection?.close();
    }
  }
}

/** @throws ConfigurationError for a key that no header can hold */
function idempotencyKey({ idempotencyKey: key = crypto.randomUUID() }: KeyedCallOptions): string {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new ConfigurationError('idempotencyKey must be 1 to 255 visible ASCII characters.');
}

const tokenForm = ({ clientId, clientSecret, scopes }: KeyPair): URLSearchParams =>
  new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    ...(scopes === undefined ? {} : { scope: scopes.join(' ') }),
  });

/** A token of other characters would appear in the error of a refused header. */
function isIssuedToken(body: unknown): body is IssuedToken {
  const { access_token: token, expires_in: seconds } = (body ?? {}) as Partial<IssuedToken>;
  return typeof token === 'string' && /^[\x21-\x7e]+$/.test(token) && typeof seconds === 'number';
}
