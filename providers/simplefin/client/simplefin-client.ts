import { request, type Dispatcher } from 'undici';
import { withDeadline, type BankHttpLimits } from '../../http/http-limits.js';
import { malformed } from '../../http/remote-object.js';
import { transportFailure } from '../../http/transport-failure.js';
import { failureOfResponse, type Operation } from './failure-table.js';

export interface SimplefinCall {
  operation: Operation;
  method: 'GET' | 'POST';
  /** Checked by `checkAddress`. */
  address: string;
  query?: Readonly<Record<string, string>>;
  authorization?: string;
  signal: AbortSignal;
}

/**
 * Makes a call without following redirects, and returns the body of its success.
 * @throws ProviderFailure, or the signal's reason
 */
export type SimplefinClient = (call: SimplefinCall) => Promise<string>;

export const SIMPLEFIN_LIMITS: Readonly<BankHttpLimits> = {
  connectTimeoutMs: 5_000,
  silenceTimeoutMs: 60_000,
  callTimeoutMs: 90_000,
  loginTimeoutMs: 60_000,
  maxResponseBytes: 8 * 1024 * 1024,
};

export function createSimplefinClient(
  limits: BankHttpLimits,
  dispatcher: Dispatcher,
): SimplefinClient {
  return (call) =>
    withDeadline(
      call.signal,
      call.operation === 'data' ? limits.callTimeoutMs : limits.loginTimeoutMs,
      (signal) => send(call, dispatcher, signal),
      (error) => transportFailure(error, 'provider_down'),
    );
}

async function send(
  { operation, method, address, query = {}, authorization }: SimplefinCall,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<string> {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const { statusCode, headers, body } = await request(url, {
    method,
    dispatcher,
    signal,
    headers: {
      accept: 'application/json, text/plain',
      ...(authorization === undefined ? {} : { authorization }),
    },
  });
  const bytes = await body.arrayBuffer();
  const isPage = isHtml(headers['content-type'], bytes);
  if (statusCode !== 200 || isPage)
    throw failureOfResponse(operation, {
      status: statusCode,
      isPage,
      retryAfter: headers['retry-after'],
    });
  return textOf(bytes);
}

function isHtml(contentType: string | string[] | undefined, bytes: ArrayBuffer): boolean {
  if (typeof contentType === 'string' && contentType.toLowerCase().startsWith('text/html'))
    return true;
  return /^\s*<(!doctype|html)/i.test(Buffer.from(bytes.slice(0, 100)).toString('latin1'));
}

function textOf(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw malformed('it is not UTF-8');
  }
}
