import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface HalfSentRequest {
  method?: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  /** The declared length of the body; null sends it in chunks, without a length. */
  length: number | null;
  /** The part of the body that is sent. */
  sent?: string;
  /** The address of this computer that the connection comes from. */
  localAddress?: string;
}

/** A caller that sends its headers and part of its body, and then waits. */
export interface HalfSentCaller {
  readonly socket: Socket;
  /** The bytes that have arrived. */
  received(): string;
  /**
   * Resolves with the status, headers and body that arrived when the response is complete or the
   * connection has closed.
   */
  response(): Promise<{ status: number; headers: string; body: string }>;
}

export async function sendHalf(
  baseUrl: string,
  { method = 'POST', path, headers, length, sent = '', localAddress }: HalfSentRequest,
): Promise<HalfSentCaller> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port), localAddress });
  socket.on('error', () => undefined);
  let text = '';
  socket.on('data', (data) => (text += data.toString('latin1')));
  await once(socket, 'connect');
  const framing = length === null ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const chunk =
    length === null && sent !== '' ? `${sent.length.toString(16)}\r\n${sent}\r\n` : sent;
  socket.write(
    [`${method} ${path} HTTP/1.1`, 'Host: api', framing, ...lines, '', chunk].join('\r\n'),
  );
  return {
    socket,
    received: () => text,
    response: async () => {
      while (!isComplete(text) && !socket.destroyed)
        await Promise.race([once(socket, 'data').catch(() => undefined), closed(socket)]);
      const [head = '', body = ''] = text.split('\r\n\r\n');
      return { status: Number(head.split(' ')[1] ?? 0), headers: head.toLowerCase(), body };
    },
  };
}

/**
 * Resolves when a connection has closed, by its end or by an error: the server resets a connection
 * on which another byte arrives after the response, and the response was still received.
 */
export async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
}

/** Responses of this API to such requests have a length. */
function isComplete(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  const [, length = '0'] = /\r\ncontent-length: (\d+)/i.exec(text) ?? [];
  return end !== -1 && text.length >= end + 4 + Number(length);
}
