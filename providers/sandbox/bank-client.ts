import { request, type Dispatcher } from 'undici';
import { failureOfAnswer, type Operation } from './failure-table.js';
import { withDeadline, type BankHttpLimits } from './http-limits.js';

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

export function createBankClient(baseUrl: string, limits: BankHttpLimits, dispatcher: Dispatcher): BankClient {
  const base = new URL(baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
  return (call) => {
    const isLogin = call.operation === 'login';
    return withDeadline(call.signal, isLogin ? limits.loginTimeoutMs : limits.callTimeoutMs, async (signal) => {
      const silence = isLogin ? { headersTimeout: limits.loginTimeoutMs } : {};
      const { statusCode, headers, body } = await send(base, call, { dispatcher, signal, ...silence });
      const answer = await readJson(body);
      if (statusCode !== call.expect) throw failureOfAnswer(call.operation, statusCode, headers['retry-after'], answer);
      return answer;
    });
  };
}

interface Sending {
  dispatcher: Dispatcher;
  signal: AbortSignal;
  headersTimeout?: number;
}

function send(base: URL, call: BankCall, sending: Sending): Promise<Dispatcher.ResponseData> {
  const url = new URL(call.path.map(encodeURIComponent).join('/'), base);
  for (const [name, value] of Object.entries(call.query ?? {})) url.searchParams.set(name, value);
  const hasBody = call.body !== undefined;
  return request(url, {
    ...sending,
    method: call.method,
    headers: { accept: 'application/json', ...(hasBody ? { 'content-type': 'application/json' } : {}), ...call.headers },
    body: hasBody ? JSON.stringify(call.body) : null,
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
