import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LOOPBACK, publicAnd } from '../../../providers/http/address-reach.js';
import { createFetchLogo, LOGO_LIMITS } from '../../../providers/logos/fetch-logo.js';

const PNG = Buffer.from('a picture');
const signal = new AbortController().signal;

describe('A logo at its source', () => {
  let server: Server;
  let origin: string;
  let paths: string[];
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  beforeAll(async () => {
    server = createServer((request, response) => {
      paths.push(request.url ?? '');
      answer(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    paths = [];
    answer = (_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(PNG);
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Also reaches this machine, by plain HTTP; silence ends soon. */
  const nearby = createFetchLogo({
    limits: { ...LOGO_LIMITS, silenceTimeoutMs: 300, callTimeoutMs: 1_500 },
    reach: publicAnd(LOOPBACK),
    isAllowed: () => true,
  });
  const redirect = (location: string) => (request: IncomingMessage, response: ServerResponse) =>
    request.url === '/first'
      ? response.writeHead(302, { location }).end()
      : response.writeHead(200, { 'content-type': 'image/png' }).end(PNG);

  it('is read, also after redirects', async () => {
    expect(await nearby(`${origin}/logo.png`, signal)).toEqual(new Uint8Array(PNG));
    answer = redirect('/second');
    expect(await nearby(`${origin}/first`, signal)).toEqual(new Uint8Array(PNG));
    expect(paths).toEqual(['/logo.png', '/first', '/second']);
  });

  it.each([
    ['a private network', 'http://10.0.0.1/logo.png'],
    ['metadata of a cloud', 'http://169.254.169.254/latest'],
    ['a file', 'file:///etc/passwd'],
    ['nowhere', 'http://'],
  ])('is not read through a redirect to %s', async (_, target) => {
    answer = redirect(target);
    expect(await nearby(`${origin}/first`, signal)).toBeNull();
    expect(paths).toEqual(['/first']);
  });

  it('is not read through endless redirects', async () => {
    answer = (_, response) => response.writeHead(302, { location: '/again' }).end();
    expect(await nearby(`${origin}/again`, signal)).toBeNull();
    expect(paths.length).toBeLessThan(6);
  });

  it.each([
    ['plain HTTP', () => `${origin}/logo.png`],
    ['this machine', () => `https://127.0.0.1:${new URL(origin).port}/logo.png`],
    ['a password', () => 'https://user:word@bank.example/logo.png'],
    ['no address', () => 'logo.png'],
  ])('is never asked for by %s', async (_, address) => {
    let resolved = 0;
    const fetchLogo = createFetchLogo({
      resolve: (_name, callback) => {
        resolved += 1;
        callback(null, [{ address: '127.0.0.1', family: 4 }]);
      },
    });
    expect(await fetchLogo(address(), signal)).toBeNull();
    expect({ paths, resolved }).toEqual({ paths: [], resolved: 0 });
  });

  it('is never asked for at a public name that leads to this machine', async () => {
    const fetchLogo = createFetchLogo({
      resolve: (_, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
    });
    expect(
      await fetchLogo(`https://bank.example:${new URL(origin).port}/logo.png`, signal),
    ).toBeNull();
    expect(paths).toEqual([]);
  });

  it.each<[string, (response: ServerResponse) => unknown]>([
    ['a page', (it) => it.writeHead(200, { 'content-type': 'text/html' }).end('<p>')],
    ['a drawing', (it) => it.writeHead(200, { 'content-type': 'image/svg+xml' }).end('<svg/>')],
    ['missing', (it) => it.writeHead(404, { 'content-type': 'image/png' }).end(PNG)],
    ['broken off', (it) => it.destroy()],
    ['silent', () => undefined],
    [
      'huge',
      (it) =>
        it
          .writeHead(200, { 'content-type': 'image/png' })
          .end(Buffer.alloc(LOGO_LIMITS.maxResponseBytes + 1)),
    ],
    [
      'endless',
      (it) => {
        it.writeHead(200, { 'content-type': 'image/png' });
        const timer = setInterval(() => it.write('x'), 50);
        it.on('close', () => clearInterval(timer));
      },
    ],
  ])('is none when it is %s', async (_, respond) => {
    answer = (_request, response) => void respond(response);
    expect(await nearby(`${origin}/logo.png`, signal)).toBeNull();
  });

  it('ends with the reason of its caller', async () => {
    const caller = new AbortController();
    const reason = new Error('the worker stops');
    answer = () => caller.abort(reason);
    await expect(nearby(`${origin}/logo.png`, caller.signal)).rejects.toBe(reason);
  });
});
