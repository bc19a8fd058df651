import { Agent, request, type Dispatcher } from 'undici';
import { ProviderFailure } from '../../domain/provider-failure.js';
import { failureOfAnswer, failureOfTransport, type Operation } from './failure-table.js';

export interface BankCall {
  operation: Operation;
  method: 'GET' | 'POST' | 'DELETE';
  /** Parts of the path, encoded here. */
  path: readonly string[];
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  /** The one status of success. */
  expect: number;
  signal: AbortSignal;
}

/** One call of the bank's API: the parsed answer, `null` when it has no body. Throws `ProviderFailure`, or the signal's reason. */
export type BankClient = (call: BankCall) => Promise<unknown>;

/** Limits of every call. All times are in milliseconds. */
export interface BankHttpLimits {
  connectTimeoutMs: number;
  /** Silence allowed before the answer begins, and between two parts of it. */
  silenceTimeoutMs: number;
  /** The whole call, from connecting to the last byte. */
  callTimeoutMs: number;
  maxResponseBytes: number;
}

export const DEFAULT_LIMITS: Readonly<BankHttpLimits> = {
  connectTimeoutMs: 5_000,
  silenceTimeoutMs: 30_000,
  callTimeoutMs: 60_000,
  maxResponseBytes: 4 * 1024 * 1024,
};

export function createBankClient(baseUrl: string, given: Partial<BankHttpLimits> = {}): BankClient {
  const limits = { ...DEFAULT_LIMITS, ...given };
  const base = new URL(baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
  const dispatcher = new Agent({
    connect: { timeout: limits.connectTimeoutMs },
    headersTimeout: limits.silenceTimeoutMs,
    bodyTimeout: limits.silenceTimeoutMs,
    maxResponseSize: limits.maxResponseBytes,
    connections: 32,
  });

  return (call) =>
    withDeadline(call.signal, limits.callTimeoutMs, async (signal) => {
      const { statusCode, headers, body } = await send(dispatcher, base, call, signal);
      const answer = await readJson(body);
      if (statusCode !== call.expect) throw failureOfAnswer(call.operation, statusCode, headers['retry-after'], answer);
      return answer;
    });
}

/** Runs a call that ends with the caller's signal or its own deadline, whichever is first. */
async function withDeadline<T>(caller: AbortSignal, timeoutMs: number, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  caller.throwIfAborted();
  const controller = new AbortController();
  const cancel = (): void => controller.abort();
  caller.addEventListener('abort', cancel, { once: true });
  const timer = setTimeout(cancel, timeoutMs);
  try {
    return await run(controller.signal);
  } catch (error) {
    caller.throwIfAborted();
    if (controller.signal.aborted) throw new ProviderFailure('institution_timeout', 'The bank did not finish its answer in time.');
    throw error instanceof ProviderFailure ? error : failureOfTransport(error);
  } finally {
    clearTimeout(timer);
    caller.removeEventListener('abort', cancel);
  }
}

function send(dispatcher: Dispatcher, base: URL, call: BankCall, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
  const url = new URL(call.path.map(encodeURIComponent).join('/'), base);
  for (const [name, value] of Object.entries(call.query ?? {})) url.searchParams.set(name, value);
  const hasBody = call.body !== undefined;
  return request(url, {
    dispatcher,
    method: call.method,
    headers: { accept: 'application/json', ...(hasBody ? { 'content-type': 'application/json' } : {}), ...call.headers },
    body: hasBody ? JSON.stringify(call.body) : null,
    signal,
  });
}

/** `undefined` when the body is not JSON: whether that matters depends on the status. */
async function readJson(body: Dispatcher.ResponseData['body']): Promise<unknown> {
  const bytes = await body.arrayBuffer();
  if (bytes.byteLength === 0) return null;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    return undefined;
  }
}
