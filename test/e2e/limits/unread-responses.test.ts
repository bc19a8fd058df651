import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { Response } from 'express';
import { beginRequest } from '../../../apps/api/src/http/request-state.js';
import { streamJson } from '../../../apps/api/src/http/stream-json.js';
import { StreamTurns } from '../../../apps/api/src/http/stream-turns.js';
import { endUnreadResponses } from '../../../apps/api/src/server/unread-responses.js';
import { eventually } from '../../support/assertions/eventually.js';
import {
  openSession,
  startApiInProcess,
  type ApiInProcess,
} from '../../support/services/api-in-process.js';

const UNREAD_MS = 100;
/** More bytes than the buffers of both ends of a connection hold. */
const RESPONSES = 200;

let service: ApiInProcess;
beforeAll(async () => {
  service = await startApiInProcess({}, { unreadResponseMs: UNREAD_MS });
});
afterAll(async () => {
  await service?.close();
});

async function callWithoutReading(baseUrl: string, path: string, times: number) {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined).pause();
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: api\r\n\r\n`.repeat(times));
  return socket;
}

describe('A response that its caller does not read', () => {
  it('is aborted, and its connection closed', async () => {
    const socket = await callWithoutReading(service.api.baseUrl, '/openapi.json', RESPONSES);
    const unfinished = /"route":"\/openapi\.json","status":499/;
    await eventually(() => expect(unfinished.test(service.log())).toBe(true));
    socket.destroy();
  });

  it('is aborted together with the work that streams it', async () => {
    let ended = false;
    async function* endless(): AsyncGenerator<string> {
      try {
        for (;;) yield await Promise.resolve('x'.repeat(10_000));
      } finally {
        ended = true;
      }
    }
    const server = createServer((request, response) => {
      beginRequest(request, { requestId: 'r', traceId: 't' }).owner = 'sandbox/app';
      const options = { turns: new StreamTurns(), kind: 'export' as const };
      void streamJson(response as Response, endless(), options);
    });
    endUnreadResponses(server, UNREAD_MS);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const socket = await callWithoutReading(`http://127.0.0.1:${port}`, '/', 1);
    await eventually(() => expect(ended).toBe(true));
    socket.destroy();
    server.close();
  });
});

describe('A response that takes longer to create than it may stay unread', () => {
  it('is received completely', async () => {
    const { connectToken, seq } = await openSession(service, await service.token('pocket-ledger'));
    const { status } = await service.api
      .as(connectToken)
      .get(`/connect/api/session?after_seq=${seq}&wait=1`);
    expect(status).toBe(200);
  });
});
