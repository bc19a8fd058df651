import { connect } from 'node:net';
import { eventually } from '../../support/assertions/eventually.js';
import { expectDescribed } from '../../support/assertions/described-responses.js';
import {
  clientId,
  clientSecret,
  startApiInProcess,
  type ApiInProcess,
} from '../../support/services/api-in-process.js';
import { expectLoss } from '../../support/services/expect-loss.mjs';
import { closed } from './support/half-sent-request.js';

const LIMIT = 16 * 1024;

let service: ApiInProcess;
beforeAll(async () => {
  service = await startApiInProcess();
});
afterAll(() => service?.close());

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

/** Sends the bytes of a request, and reads until the service closes the connection. */
async function send(lines: readonly string[]): Promise<Answer> {
  const { port } = new URL(service.api.baseUrl);
  // The server resets a connection whose bytes it has not all read.
  const socket = expectLoss(connect(Number(port), '127.0.0.1'));
  let text = '';
  socket.on('data', (data) => (text += String(data)));
  socket.write([...lines, 'Connection: close', '', ''].join('\r\n'));
  await closed(socket);
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [first = '', ...fields] = head.split('\r\n');
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(
      fields.map((field): [string, string] => {
        const [name = '', value = ''] = field.split(/: (.*)/);
        return [name.toLowerCase(), value];
      }),
    ),
    body: (body === '' ? {} : JSON.parse(body)) as Record<string, unknown>,
  };
}

const get = (path: string, ...headers: string[]) =>
  send([`GET ${path} HTTP/1.1`, 'Host: api', ...headers]);
const long = (bytes: number) => 'a'.repeat(bytes);

describe('A request with an address and headers of over 16 KiB', () => {
  it.each([
    ['in its address', () => get(`/links?cursor=${long(LIMIT)}`, 'Service-Request-Id: mine')],
    ['in one header', () => get('/links', `X-Any: ${long(LIMIT)}`, 'Service-Request-Id: mine')],
    [
      'in many headers',
      () =>
        get(
          '/links',
          'Service-Request-Id: mine',
          ...Array.from({ length: 40 }, (_, index) => `X-${index}: ${long(500)}`),
        ),
    ],
  ])('%s gets the error of the catalog, under the request id it sent', async (_, request) => {
    const { status, headers, body } = await request();
    expect([status, body]).toEqual([
      431,
      {
        error_code: 'api_error.request.headers_too_large',
        error_message: expect.stringContaining('16 KiB'),
        documentation_url: expect.stringMatching(
          /^http:.+\/docs#error-api_error\.request\.headers_too_large$/,
        ),
      },
    ]);
    expect(headers['service-request-id']).toBe('mine');
    expectDescribed({
      method: 'GET',
      path: '/links',
      status,
      contentType: headers['content-type'] ?? null,
      body,
    });
    await eventually(() =>
      expect(service.log()).toMatch(/"status":431[^\n]*"request_id":"mine"[^\n]*"http\.request"/),
    );
  });

  it('to the Plaid layer gets the error of that layer, with its own request id', async () => {
    const { status, headers, body } = await send([
      'POST /accounts/get HTTP/1.1',
      'Host: api',
      `PLAID-CLIENT-ID: ${clientId('pocket-ledger', 'sandbox')}`,
      `PLAID-SECRET: ${clientSecret('pocket-ledger', 'sandbox')}`,
      `X-Any: ${long(LIMIT)}`,
      'Content-Length: 0',
    ]);
    expect([status, body]).toMatchObject([
      400,
      {
        error_type: 'INVALID_REQUEST',
        error_code: 'INVALID_HEADERS',
        display_message: null,
        request_id: expect.stringMatching(/^[A-Za-z0-9]{15}$/),
      },
    ]);
    expect(headers['plaid-version']).toBe('2020-09-14');
  });

  it.each([2 * LIMIT, 8 * LIMIT])(
    'gets the error of the catalog when its %i bytes cannot even be parsed',
    async (bytes) => {
      const { status, headers, body } = await get(`/links?cursor=${long(bytes)}`);
      expect([status, body['error_code']]).toEqual([431, 'api_error.request.headers_too_large']);
      const id = headers['service-request-id'];
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
      await eventually(() =>
        expect(service.log()).toMatch(new RegExp(`"request_id":"${id}"[^\\n]*"http\\.unparsed"`)),
      );
    },
  );
});

describe('A request with an address and headers of up to 16 KiB', () => {
  it('is handled', async () => {
    const { status } = await get('/links', `X-Any: ${long(LIMIT - 100)}`);
    expect(status).toBe(401);
  });
});

describe('A malformed request', () => {
  it('gets 400 and a request id', async () => {
    const { status, headers } = await send(['GET /links HTTP/9.9', 'Host: api']);
    expect([status, headers['service-request-id']]).toEqual([
      400,
      expect.stringMatching(/^[0-9a-f-]{36}$/),
    ]);
  });
});
