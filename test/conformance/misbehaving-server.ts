import { EventEmitter, once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** The ways in which a counterpart can fail. */
export type Misbehavior =
  | 'refuse'
  | 'reset'
  | 'silent'
  | 'dripping'
  | 'endless'
  | 'not http'
  | 'html'
  | 'other json'
  | 'status 429'
  | 'status 500';

export interface MisbehavingServer {
  url: string;
  bytesSent(): number;
  /** Resolves when the next request starts to arrive. */
  nextRequest(): Promise<void>;
  close(): Promise<void>;
}

const jsonAnswer = (status: string, body: string, headers = ''): string =>
  `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

const ANSWERS: Partial<Record<Misbehavior, string>> = {
  'not http': 'SSH-2.0-OpenSSH_9.6\r\n',
  html: 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 15\r\n\r\n<h1>Oh dear</h1',
  'other json': jsonAnswer('200 OK', '{"answer":[1,null,"NaN"]}'),
  'status 429': jsonAnswer('429 Too Many Requests', '{}', 'retry-after: 7\r\n'),
  'status 500': jsonAnswer('500 Internal Server Error', '{"error":{"code":"unknown_to_us"}}'),
};

/** A TCP server that responds to every request in one wrong way. */
export async function startMisbehavingServer(misbehavior: Misbehavior): Promise<MisbehavingServer> {
  const sockets = new Set<Socket>();
  const requests = new EventEmitter();
  let sent = 0;

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.on('data', () => {
      requests.emit('request');
      if (misbehavior === 'reset') socket.resetAndDestroy();
      else if (misbehavior === 'endless') sendForEver(socket, (bytes) => (sent += bytes));
      else if (misbehavior === 'dripping') drip(socket);
      else if (misbehavior !== 'silent') socket.end(ANSWERS[misbehavior] ?? '');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  if (misbehavior === 'refuse') await close();
  return {
    url: `http://127.0.0.1:${port}`,
    bytesSent: () => sent,
    nextRequest: async () => void (await once(requests, 'request')),
    close,
  };
}

function sendForEver(socket: Socket, count: (bytes: number) => void): void {
  const piece = Buffer.alloc(64 * 1024, ' ');
  socket.removeAllListeners('data').resume();
  socket.write('HTTP/1.1 201 Created\r\ncontent-type: application/json\r\n\r\n{');
  const more = (): void => {
    while (!socket.destroyed && socket.write(piece)) count(piece.length);
    count(piece.length);
  };
  socket.on('drain', more);
  more();
}

/** Never silent for long, and never finished. */
function drip(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{');
  const timer = setInterval(() => socket.write(' '), 50);
  socket.on('close', () => clearInterval(timer));
}
