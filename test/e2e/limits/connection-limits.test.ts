import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import {
  clientId,
  startApiInProcess,
  type ApiInProcess,
} from '../../support/services/api-in-process.js';
import { closed } from './support/half-sent-request.js';
import { eventually } from '../../support/assertions/eventually.js';

const PER_ADDRESS = 20;
/** By default a request may take 30 s, and closing it another 30 s. */
const ENDED_WITHIN_MS = 29_000;

let service: ApiInProcess;
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
/** Connects from an address of this computer that no other test uses. */
async function open(localAddress = '127.0.0.2'): Promise<Socket> {
  const { port } = new URL(service.api.baseUrl);
  const socket = connect({ host: '127.0.0.1', port: Number(port), localAddress });
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

async function answerTo(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (data) => {
    text += String(data);
  });
  const late = AbortSignal.timeout(ENDED_WITHIN_MS);
  await Promise.race([
    closed(socket),
    once(late, 'abort').then(() => Promise.reject(new Error('The connection stayed open.'))),
  ]);
  return text;
}

const TYPES = {
  '/auth/token': 'application/x-www-form-urlencoded',
  '/link-session': 'application/json',
  '/accounts/get': 'application/json',
  '/connect/api/session/open': 'application/json',
};

describe('A request that does not arrive', () => {
  beforeAll(async () => {
    service = await startApiInProcess({ REQUEST_TIMEOUT: '1s' });
  });
  afterAll(() => service.close());

  it.each(Object.entries(TYPES))(
    'as a whole ends with 408, however steadily its body trickles in to %s',
    async (path, type) => {
      const token = await service.token('rival');
      const socket = await open();
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: api\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${type}\r\nContent-Length: 1000\r\n\r\n`,
      );
      const trickle = setInterval(() => socket.write('a'), 100);
      try {
        expect(await answerTo(socket)).toMatch(/^HTTP\/1\.1 408 /);
      } finally {
        clearInterval(trickle);
      }
    },
  );

  it('beyond its headers ends with 408', async () => {
    const socket = await open();
    const response = answerTo(socket);
    socket.write('GET /links HTTP/1.1\r\nHost: api\r\n');
    expect(await response).toMatch(/^HTTP\/1\.1 408 /);
  });
});

describe('A client address with too many connections', () => {
  beforeAll(async () => {
    // An idle connection that expired would free its place for the next one. The default lets it
    // stay for 15 s.
    service = await startApiInProcess({
      MAX_CONNECTIONS_PER_ADDRESS: String(PER_ADDRESS),
    });
  });
  afterAll(() => service.close());

  it('has further connections closed, while other addresses are served', async () => {
    const closed = new Set<number>();
    for (let index = 0; index < 3 * PER_ADDRESS; index += 1)
      (await open()).on('close', () => closed.add(index));
    await eventually(() => expect(closed.size).toBe(2 * PER_ADDRESS));
    const response = await service.api.post('/auth/token', {
      form: { client_id: clientId('rival', 'live'), client_secret: 'x' },
    });
    expect(response.status).toBe(401);
  });

  it('may open new connections after it closed some', async () => {
    for (let index = 0; index < 2 * PER_ADDRESS; index += 1) await open();
    for (const socket of sockets) socket.destroy();
    await eventually(async () => {
      const socket = await open();
      socket.write('GET /health/live HTTP/1.1\r\nHost: api\r\nConnection: close\r\n\r\n');
      expect(await answerTo(socket)).toMatch(/^HTTP\/1\.1 200 /);
    });
  });
});
