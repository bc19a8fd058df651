import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import type { HeaderNames } from '../http/header-names.js';

const STATUSES: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};
const MALFORMED = 400;

/** Time for a caller to send the rest and read the response. */
const LINGER_MS = 1_000;

interface Unparsed extends Error {
  code?: string;
}

/** With the response to the request that is being read, if its headers were parsed. */
type BusySocket = Socket & { _httpMessage?: ServerResponse | null };

/** Notified of each response to a request that could not be parsed. */
export type UnparsedReport = (refused: { status: number; requestId: string }) => void;

/**
 * Ends the connection of a request that could not be parsed with a response, as Node does without a listener. Nothing of
 * its headers is known, so an error for too many of them is always the native one. Source: native-api 1.
 */
export function answerUnparsedRequests(
  server: Server,
  { headers, baseUrl }: { headers: HeaderNames; baseUrl: string },
  report: UnparsedReport,
): void {
  const answered = new WeakSet<Socket>();
  server.on('clientError', (error: Unparsed, socket: BusySocket) => {
    // Bytes that arrive meanwhile are read and ignored, because unread ones would reset the connection before the response.
    if (answered.has(socket)) return;
    const { _httpMessage: response = null } = socket;
    const canRespond =
      error.code !== 'ECONNRESET' && socket.writable && response?.headersSent !== true;
    if (!canRespond) {
      socket.destroy(error);
      return;
    }
    answered.add(socket);
    const status = STATUSES[error.code ?? ''] ?? MALFORMED;
    const requestId = String(response?.getHeader(headers.requestId) ?? randomUUID());
    report({ status, requestId });
    socket.end(responseText(status, baseUrl, { [headers.requestId]: requestId }));
    const linger = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(linger));
  });
}

function responseText(status: number, baseUrl: string, own: Record<string, string>): string {
  const body =
    status === 431
      ? JSON.stringify(new ApiError('api_error.request.headers_too_large').body(baseUrl))
      : '';
  const fields = {
    ...own,
    ...(body === '' ? {} : { 'Content-Type': 'application/json; charset=utf-8' }),
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    Connection: 'close',
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}
