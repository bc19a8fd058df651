import { request, type Dispatcher } from 'undici';
import { failureOfResponse, failureOfTransport, type Operation } from './failure-table.js';
import { withDeadline, type BankHttpLimits } from '../../http/http-limits.js';

export interface BankCall {
  /** `data` by default. */
  operation?: Operation;
  method: 'GET' | 'POST' | 'DELETE';
  /** Path segments; encoded by the client. */
  path: readonly string[];
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  /** The status of success, if it is not the usual one of the method. */
  expect?: number;
  signal: AbortSignal;
}

/**
 * Calls the bank's API and returns the parsed body, `null` if there is none.
 * @throws ProviderFailure, or the signal's reason
 */
export type BankClient = (call: BankCall) => Promise<unknown>;

const USUAL_STATUS = { GET: 200, POST: 201, DELETE: 204 } as const;

/** The address of the bank's API, and the secret it accepts. */
export interface BankAddress {
  baseUrl: string;
  secret: string;
}

/** Separate from the Authorization header, which contains the token of a connection. */
export const secretHeader = ({ secret }: Pick<BankAddress, 'secret'>) => ({
  'sandbox-bank-secret': secret,
});

export function createBankClient(
  address: BankAddress,
  limits: BankHttpLimits,
  dispatcher: Dispatcher,
): BankClient {
  const { baseUrl } = address;
  const base = new URL(baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
  return (call) => {
    const { operation = 'data', expect = USUAL_STATUS[call.method] } = call;
    const isLogin = operation === 'login';
    return withDeadline(
      call.signal,
      isLogin ? limits.loginTimeoutMs : limits.callTimeoutMs,
      async (signal) => {
        const silence = isLogin ? { headersTimeout: limits.loginTimeoutMs } : {};
        const { statusCode, headers, body } = await send(base, call, {
          dispatcher,
          signal,
          ...silence,
          secret: address.secret,
        });
        const response = await readJson(body);
        if (statusCode !== expect)
          throw failureOfResponse(operation, statusCode, headers['retry-after'], response);
        return response;
      },
      failureOfTransport,
    );
  };
}

interface Sending {
  secret: string;
  dispatcher: Dispatcher;
  signal: AbortSignal;
  headersTimeout?: number;
}

function send(
  base: URL,
  call: BankCall,
  { secret, ...sending }: Sending,
): Promise<Dispatcher.ResponseData> {
  const url = new URL(call.path.map(encodeURIComponent).join('/'), base);
  for (const [name, value] of Object.entries(call.query ?? {})) url.searchParams.set(name, value);
  const hasBody = call.body !== undefined;
  return request(url, {
    ...sending,
    method: call.method,
    headers: {
      accept: 'application/json',
      ...secretHeader({ secret }),
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...call.headers,
    },
    body: hasBody ? JSON.stringify(call.body) : null,
  });
}

async function readJson(body: Dispatcher.ResponseData['body']): Promise<unknown> {
  const bytes = await body.arrayBuffer();
  return bytes.byteLength === 0 ? null : parseJson(bytes);
}

/** `undefined` if the body is not JSON; whether that matters depends on the status. */
export function parseJson(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    return undefined;
  }
}
