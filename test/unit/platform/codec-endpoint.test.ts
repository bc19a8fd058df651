import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCodecEndpoint } from '../../../apps/platform/src/temporal/codec-endpoint.js';
import { EncryptingPayloadCodec } from '../../../apps/platform/src/temporal/payload-codec.js';

const UI = 'http://127.0.0.1:8233';
const codec = new EncryptingPayloadCodec([{ id: 'k1', key: randomBytes(32) }]);
let server: Server;
let url: string;

beforeAll(async () => {
  const endpoint = createCodecEndpoint({ codec, allowedOrigins: [UI] });
  server = createServer((request, response) => {
    void endpoint(request, response).then((answered) => answered || response.writeHead(404).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

const payload = {
  metadata: { encoding: Buffer.from('json/plain') },
  data: Buffer.from('{"sessionId":"ses_1"}'),
};

async function encoded(): Promise<string> {
  const sealed = await codec.encode([payload]);
  return JSON.stringify({
    payloads: sealed.map(({ metadata, data }) => ({
      metadata: Object.fromEntries(
        Object.entries(metadata ?? {}).map(([name, value]) => [
          name,
          Buffer.from(value).toString('base64'),
        ]),
      ),
      data: Buffer.from(data ?? []).toString('base64'),
    })),
  });
}

const ask = (body: string, origin: string | null = UI, path = '/codec/decode', method = 'POST') =>
  fetch(`${url}${path}`, {
    method,
    body: method === 'POST' ? body : undefined,
    headers: origin === null ? {} : { origin, 'content-type': 'application/json' },
  });

describe('the codec endpoint', () => {
  it('decodes payloads for a page of the Temporal UI', async () => {
    const body = await encoded();
    expect(body).not.toContain(Buffer.from('ses_1').toString('base64').slice(0, 6));
    const answer = await ask(body);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe(UI);
    const { payloads } = (await answer.json()) as { payloads: { data: string }[] };
    expect(payloads.map(({ data }) => Buffer.from(data, 'base64').toString())).toEqual([
      '{"sessionId":"ses_1"}',
    ]);
  });

  it('responds to the preflight request of that page', async () => {
    const answer = await ask('', UI, '/codec/decode', 'OPTIONS');
    expect([answer.status, answer.headers.get('access-control-allow-headers')]).toEqual([
      204,
      'content-type,x-namespace,authorization',
    ]);
  });

  it.each([
    ['another page', 'http://evil.example'],
    ['no page at all', null],
  ])('reveals nothing to %s', async (_whom, origin) => {
    const answer = await ask(await encoded(), origin);
    expect([
      answer.status,
      await answer.text(),
      answer.headers.get('access-control-allow-origin'),
    ]).toEqual([403, '', null]);
  });

  it.each([
    '',
    '{',
    '{"payloads":1}',
    JSON.stringify({
      payloads: [
        {
          metadata: { encoding: Buffer.from('binary/encrypted').toString('base64') },
          data: 'AAAA',
        },
      ],
    }),
  ])('refuses %j', async (body) => {
    expect((await ask(body)).status).toBe(400);
  });

  it('does not encode, and does not handle other paths', async () => {
    expect((await ask(await encoded(), UI, '/codec/encode')).status).toBe(404);
    expect((await ask('', UI, '/codec/decode', 'DELETE')).status).toBe(405);
  });
});
