import { request, type Dispatcher } from 'undici';
import { withDeadline, type BankHttpLimits } from '../../http/http-limits.js';
import { malformed } from '../../http/remote-object.js';
import { transportFailure } from '../../http/transport-failure.js';
import { failureOfResponse } from './failure-table.js';
import type { TokenSigner } from './signed-token.js';

export interface ApiCall {
  method: 'GET' | 'POST' | 'DELETE';
  /** Path segments; encoded by the client. */
  path: readonly string[];
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  /** A user waits for the call in Connect. */
  isLogin?: boolean;
  /** Receives the `Date` of every response, regardless of its status. */
  onServerTime?: (time: Date) => void;
  signal: AbortSignal;
}

/**
 * Makes a signed call without following redirects, and returns the parsed body of its success.
 * @throws ProviderFailure, or the signal's reason
 */
export type ApiClient = (call: ApiCall) => Promise<unknown>;

/** The API waits for the bank. Lists of banks of one country have several megabytes. */
export const ENABLE_BANKING_LIMITS: Readonly<BankHttpLimits> = {
  connectTimeoutMs: 5_000,
  silenceTimeoutMs: 120_000,
  callTimeoutMs: 130_000,
  loginTimeoutMs: 90_000,
  maxResponseBytes: 16 * 1024 * 1024,
};

export interface ApiClientParts {
  /** Without a slash at the end. */
  address: string;
  sign: TokenSigner;
  limits: BankHttpLimits;
  dispatcher: Dispatcher;
}

export function createApiClient({ address, sign, limits, dispatcher }: ApiClientParts): ApiClient {
  return (call) =>
    withDeadline(
      call.signal,
      call.isLogin === true ? limits.loginTimeoutMs : limits.callTimeoutMs,
      async (signal) => {
        const token = await sign();
        return answerOf(await send(address, call, { token, dispatcher, signal }), call);
      },
      (error) => transportFailure(error, 'provider_down'),
    );
}

interface Sending {
  token: string;
  dispatcher: Dispatcher;
  signal: AbortSignal;
}

function send(
  address: string,
  { method, path, query = {}, headers = {}, body }: ApiCall,
  { token, dispatcher, signal }: Sending,
): Promise<Dispatcher.ResponseData> {
  const url = new URL(`${address}/${path.map(encodeURIComponent).join('/')}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return request(url, {
    method,
    dispatcher,
    signal,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
}

async function answerOf(
  { statusCode: status, headers, body }: Dispatcher.ResponseData,
  { onServerTime }: ApiCall,
): Promise<unknown> {
  const time = timeOf(headers['date']);
  if (time !== null) onServerTime?.(time);
  const parsed = parseJson(await body.arrayBuffer());
  if (status !== 200)
    throw failureOfResponse({ status, body: parsed, retryAfter: headers['retry-after'] });
  if (parsed === undefined) throw malformed('it is not JSON');
  return parsed;
}

function timeOf(header: string | string[] | undefined): Date | null {
  const time = new Date(typeof header === 'string' ? header : Number.NaN);
  return Number.isNaN(time.getTime()) ? null : time;
}

/** Amounts are strings in this API, so no monetary value passes through a double. */
function parseJson(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    return undefined;
  }
}
