import { flood, type FloodOutcome } from './support/flood.js';
import { ANONYMOUS_FLOODS } from './support/anonymous-floods.js';
import { startApiInProcess, type ApiInProcess } from '../../support/services/api-in-process.js';

/** test/e2e/limits/floods.long.test.ts sends for longer, and measures. */
const SIZE = { connections: 50, perSecond: 100, seconds: 1 };
const REFUSALS = ['400', '401', '404', '429', '503'];
/** Static files are not built for these tests. */
const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  'static files': ['200', '404', '429'],
  'the OpenAPI document': ['200', '429'],
};

let service: ApiInProcess;
let token: string;
beforeAll(async () => {
  service = await startApiInProcess({ RATE_LIMIT_FAILED_AUTH: '1/s:20' });
  token = await service.token('rival');
});
afterAll(async () => {
  await service?.close();
});

/**
 * Sends the calls of a tenant one after another until the flood ends, and returns their statuses.
 */
async function callsDuring(flooded: Promise<FloodOutcome>): Promise<Set<number>> {
  let isOver = false;
  void flooded.finally(() => (isOver = true));
  const statuses = new Set<number>();
  while (!isOver) statuses.add((await service.api.get('/links', { token })).status);
  return statuses;
}

describe('While strangers send many requests at once, the calls of a tenant succeed and the strangers are refused', () => {
  it.each(Object.entries(ANONYMOUS_FLOODS))('%s', async (kind, requests) => {
    const sent = flood({
      url: service.api.baseUrl,
      localAddress: '127.0.0.2',
      ...SIZE,
      requests,
    });
    expect(await callsDuring(sent)).toEqual(new Set([200]));
    const { statuses } = await sent;
    const allowed = ANSWERS[kind] ?? REFUSALS;
    expect(Object.keys(statuses)).not.toEqual([]);
    expect(Object.keys(statuses).filter((status) => !allowed.includes(status))).toEqual([]);
  });
});
