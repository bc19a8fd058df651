import { checkedLimits, type ClientSettings } from '../client-options.js';
import { ConfigurationError, TributaryError, UnexpectedResponseError } from '../errors.js';
import { apiVersion } from '../generated/api-version.js';
import { version } from '../generated/version.js';
import { wait } from './abortable.js';
import { AccessToken, type IssuedToken } from './access-token.js';
import { ApiPromise, type ApiResponse } from './api-promise.js';
import {
  idempotencyKeyOf,
  jsonOf,
  queryOf,
  type ApiRequest,
  type CallOptions,
  type KeyedCallOptions,
} from './api-request.js';
import { AttemptLimits } from './attempt-limits.js';
import { limitedStream } from './limited-stream.js';
import { openOwnConnection } from './own-connection.js';
import { readError, readObject } from './read-response.js';
import { isHarmlessTwice, waitBeforeRetry, type Repeatability } from './retry-policy.js';
import { isIssuedToken, refusesToken, TOKEN_CALL, tokenForm } from './token-call.js';

type Limits = Required<Pick<CallOptions, 'timeout' | 'maxRetries'>> & Pick<CallOptions, 'signal'>;

/** One HTTP request, with the limits of its call. */
interface Attempt<T> extends Repeatability {
  method: ApiRequest['method'];
  path: string;
  query: string;
  body: string | URLSearchParams | undefined;
  headers: Record<string, string>;
  limits: Limits;
  read: (response: Response, limits: AttemptLimits) => Promise<T>;
  /** True if the result still arrives when the attempt is over. */
  isStream: boolean;
}

type Read<T> = Pick<Attempt<T>, 'read' | 'isStream'>;

/** Sends requests with the token of the key pair, and repeats what may be repeated. */
export class Requester {
  readonly #settings: ClientSettings;
  readonly #token: AccessToken;

  constructor(settings: ClientSettings) {
    this.#settings = settings;
    this.#token = new AccessToken((retry) => this.#requestToken(retry));
  }

  /** @returns the body of the response, an object */
  json<T>(request: ApiRequest, options?: KeyedCallOptions): ApiPromise<T> {
    return this.#send(request, options, {
      read: (response) => this.#object<T>(response),
      isStream: false,
    });
  }

  text(request: ApiRequest, options?: CallOptions): ApiPromise<string> {
    return this.#send(request, options, { read: (response) => response.text(), isStream: false });
  }

  /** For a response without a body. */
  nothing(request: ApiRequest, options?: CallOptions): ApiPromise<void> {
    const read = async (response: Response): Promise<void> => void (await response.text());
    return this.#send(request, options, { read, isStream: false });
  }

  /** @returns the body as it arrives; it fails if the connection ends before the response is complete */
  stream(request: ApiRequest, options?: CallOptions): ApiPromise<ReadableStream<Uint8Array>> {
    const read = async ({ body, status }: Response, limits: AttemptLimits) => {
      if (body !== null) return limitedStream(body, limits);
      throw new UnexpectedResponseError('The response is empty.', status, undefined);
    };
    return this.#send(request, options, { read, isStream: true });
  }

  #send<T>(request: ApiRequest, options: KeyedCallOptions = {}, read: Read<T>): ApiPromise<T> {
    return new ApiPromise(this.#respond(request, options, read));
  }

  async #respond<T>(
    { method, path, query, body, isKeyed, isPublic }: ApiRequest,
    options: KeyedCallOptions,
    read: Read<T>,
  ): Promise<ApiResponse<T>> {
    const limits = { ...checkedLimits(options, this.#settings), signal: options.signal };
    // One key for all attempts, so that the service recognizes a repetition.
    const key = isKeyed ? idempotencyKeyOf(options) : undefined;
    const prepared = {
      method,
      path: typeof path === 'string' ? path : path(),
      query: queryOf(query),
      body: body === undefined ? undefined : jsonOf(body),
      isIdempotent: key !== undefined,
      limits,
      ...read,
    };
    const send = (token?: string): Promise<ApiResponse<T>> => {
      const headers = {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      };
      return this.#withRetries({ ...prepared, headers });
    };
    return isPublic ? send() : this.#authorized(send, limits);
  }

  /** A token may have expired or been revoked: the call is repeated once with a new one. */
  async #authorized<T>(send: (token: string) => Promise<T>, limits: Limits): Promise<T> {
    const token = await this.#tokenWithin(limits);
    try {
      return await send(token.value);
    } catch (error) {
      if (token.isNew || !refusesToken(error)) throw error;
    }
    this.#token.drop(token.value);
    const { value } = await this.#tokenWithin(limits);
    return send(value);
  }

  #tokenWithin({
    timeout,
    maxRetries,
    signal,
  }: Limits): Promise<{ value: string; isNew: boolean }> {
    signal?.throwIfAborted();
    return this.#token.get({
      within: (promise, delay) => {
        const limits = new AttemptLimits(timeout + delay, signal, this.#settings.baseUrl);
        return limits.within(promise).finally(() => limits.end());
      },
      retryAfter: (error, retry) =>
        retry < maxRetries ? waitBeforeRetry(error, TOKEN_CALL, retry, Math.random) : undefined,
    });
  }

  async #requestToken(retry: number): Promise<IssuedToken> {
    const { keyPair, timeout, maxRetries } = this.#settings;
    if (keyPair === undefined)
      throw new ConfigurationError(
        'This call needs a key pair: pass clientId and clientSecret, or set CLIENT_ID and CLIENT_SECRET.',
      );
    const attempt = {
      ...TOKEN_CALL,
      path: '/auth/token',
      query: '',
      body: tokenForm(keyPair),
      headers: {},
      limits: { timeout, maxRetries, signal: undefined },
      read: (response: Response) => this.#object<unknown>(response),
      isStream: false,
    };
    const { data, status, requestId } = await this.#attempt(attempt, retry);
    if (isIssuedToken(data)) return data;
    throw new UnexpectedResponseError('The token call returned no token.', status, requestId);
  }

  async #withRetries<T>(attempt: Attempt<T>): Promise<ApiResponse<T>> {
    const { maxRetries, signal } = attempt.limits;
    for (let retry = 0; ; retry += 1) {
      try {
        return await this.#attempt(attempt, retry);
      } catch (error) {
        const delay = waitBeforeRetry(error, attempt, retry, Math.random);
        if (retry >= maxRetries || delay === undefined) throw error;
        await wait(delay, signal);
      }
    }
  }

  /** One attempt, of which the app learns. */
  async #attempt<T>(attempt: Attempt<T>, retry: number): Promise<ApiResponse<T>> {
    const startedAt = performance.now();
    const { method, path, limits } = attempt;
    const report = ({ status, requestId }: Outcome, error?: unknown): void => {
      const mayFollow = error !== undefined && retry < limits.maxRetries;
      this.#settings.onAttempt?.({
        method,
        path,
        number: retry + 1,
        duration: performance.now() - startedAt,
        status,
        requestId,
        error,
        willRetry: mayFollow && waitBeforeRetry(error, attempt, retry, () => 0) !== undefined,
      });
    };
    try {
      const response = await this.#exchange(attempt);
      report(response);
      return response;
    } catch (error) {
      report(error instanceof TributaryError ? (error as Partial<Outcome>) : {}, error);
      throw error;
    }
  }

  async #exchange<T>(attempt: Attempt<T>): Promise<ApiResponse<T>> {
    const { method, path, query, body, headers, limits, read, isStream } = attempt;
    const { baseUrl, headerPrefix, headers: defaults, fetch } = this.#settings;
    const within = new AttemptLimits(limits.timeout, limits.signal, baseUrl);
    const connection = isHarmlessTwice(attempt) ? undefined : openOwnConnection();
    let isOpen = false;
    try {
      const response = await within.within(
        (async () => {
          limits.signal?.throwIfAborted();
          const arrived = await fetch(`${baseUrl}${path}${query}`, {
            method,
            headers: {
              accept: 'application/json',
              'user-agent': `tributary-node/${version}`,
              ...defaults,
              [`${headerPrefix}-version`]: apiVersion,
              ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
              ...headers,
            },
            body,
            // The API has no redirects; one to elsewhere must not receive the token.
            redirect: 'manual',
            signal: within.signal,
            ...connection?.init,
          });
          if (!arrived.ok) throw await readError(arrived, `${headerPrefix}-request-id`);
          return { data: await read(arrived, within), arrived };
        })(),
      );
      isOpen = isStream;
      const { data, arrived } = response;
      return {
        data,
        status: arrived.status,
        headers: arrived.headers,
        requestId: arrived.headers.get(`${headerPrefix}-request-id`) ?? undefined,
        isReplayed: arrived.headers.get('idempotency-replayed') === 'true',
      };
    } finally {
      if (!isOpen) within.end();
      connection?.close();
    }
  }

  async #object<T>(response: Response): Promise<T> {
    const { headerPrefix, parse } = this.#settings;
    return (await readObject(response, `${headerPrefix}-request-id`, parse)) as T;
  }
}

interface Outcome {
  status?: number | undefined;
  requestId?: string | undefined;
}
