import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AddressRules } from '../../../domain/addresses/address-rules.js';
import { addressRanges } from '../../../apps/platform/src/config/setting-parsers.js';
import { PinnedConnections } from '../../../apps/webhooks/src/sending/pinned-connections.js';
import { eventually } from '../../support/assertions/eventually.js';

const MAX_KEPT = 5;

describe('Connections to many endpoints', () => {
  let server: Server;
  let port: number;
  let connections: PinnedConnections;
  const targets = (count: number) =>
    Array.from(
      { length: count },
      (_, index) => new URL(`http://127.0.1.${index + 1}:${port}/hooks`),
    );
  const post = async (target: URL) => {
    const { dispatcher } = await connections.to(target);
    const { statusCode, body } = await dispatcher.request({
      method: 'POST',
      path: target.pathname,
      body: '{}',
    });
    await body.dump();
    return statusCode;
  };
  const open = () =>
    new Promise<number>((resolve, reject) => {
      server.getConnections((error, count) => {
        if (error === null) resolve(count);
        else reject(error);
      });
    });

  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume().once('end', () => response.writeHead(204).end());
    });
    // The receiver would keep them all.
    server.keepAliveTimeout = 600_000;
    await new Promise<void>((resolve) => {
      server.listen(0, '0.0.0.0', resolve);
    });
    ({ port } = server.address() as AddressInfo);
    connections = new PinnedConnections({
      rules: new AddressRules({
        webhookAllowedPrivateRanges: addressRanges('127.0.0.0/8'),
        webhookRefusedRanges: [],
      }),
      perOrigin: 8,
      connectTimeoutMs: 5_000,
      maxKept: MAX_KEPT,
    });
  });
  afterAll(async () => {
    await connections.close();
    await new Promise((resolve) => server.close(resolve));
  });

  it('are kept for the most recently used ones and closed for the others, since a process has a limited number of files', async () => {
    expect(await Promise.all(targets(40).map(post))).toEqual(Array<number>(40).fill(204));
    await eventually(async () => expect(await open()).toBe(MAX_KEPT));
    const last = targets(40).slice(-MAX_KEPT);
    for (const target of last) await post(target);
    expect(await open()).toBe(MAX_KEPT);
  });

  it('are not closed during an attempt', async () => {
    const [first, ...others] = targets(MAX_KEPT + 2);
    if (first === undefined) throw new Error('there are targets');
    const { dispatcher } = await connections.to(first);
    const started = dispatcher.request({ method: 'POST', path: '/hooks', body: '{}' });
    for (const target of others) await connections.to(target);
    expect((await started).statusCode).toBe(204);
  });
});
