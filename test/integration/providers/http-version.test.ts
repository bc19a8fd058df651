import { once } from 'node:events';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { request, type Dispatcher } from 'undici';
import { PinnedConnections } from '../../../apps/webhooks/src/sending/pinned-connections.js';
import { createDispatcher } from '../../../providers/http/guarded-dispatcher.js';
import { DEFAULT_LIMITS } from '../../../providers/http/http-limits.js';
import { LOOPBACK, publicAnd } from '../../../providers/http/address-reach.js';
import { TEST_CERTIFICATE } from '../webhooks/test-certificate.js';

const rules = publicAnd(LOOPBACK);

describe('A server that offers HTTP/2', () => {
  let server: Http2SecureServer;
  let origin: string;

  beforeAll(async () => {
    server = createSecureServer({ ...TEST_CERTIFICATE, allowHTTP1: true }, (asked, answer) => {
      answer.end(asked.httpVersion);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `https://receiver.test:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const versionOf = async (dispatcher: Dispatcher): Promise<string> => {
    const { body } = await request(origin, { dispatcher });
    return body.text();
  };

  it('receives HTTP/1.1 from the adapters of banks', async () => {
    const dispatcher = createDispatcher({
      limits: DEFAULT_LIMITS,
      reach: rules,
      resolve: (_hostname, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
      tls: { ca: TEST_CERTIFICATE.cert },
    });
    expect(await versionOf(dispatcher)).toBe('1.1');
    await dispatcher.destroy();
  });

  it('receives HTTP/1.1 from webhooks', async () => {
    const connections = new PinnedConnections({
      rules,
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      perOrigin: 1,
      connectTimeoutMs: 5_000,
      maxKept: 1,
      trustedCertificates: TEST_CERTIFICATE.cert,
    });
    const { dispatcher } = await connections.to(new URL(origin));
    expect(await versionOf(dispatcher)).toBe('1.1');
    await connections.close();
  });
});
