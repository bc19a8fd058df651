import { freePort } from '../../../apps/standalone/src/ports.js';
import { eventually } from '../../support/assertions/eventually.js';
import { startApiInProcess, type ApiInProcess } from '../../support/services/api-in-process.js';
import { startApiProcess, type ApiProcess } from '../../support/services/api-process.js';
import { startLateBalancer } from '../../support/services/late-balancer.js';

const STOP_DELAY_MS = 3_000;
/** Longer than a test may take. */
const DELAY_OF_MINUTES_MS = 300_000;
const BALANCER_LATE_MS = 500;
const REQUEST_EVERY_MS = 25;

let service: ApiInProcess;
let ports: number[];
let token: string;

beforeAll(async () => {
  service = await startApiInProcess();
  token = await service.token('pocket-ledger');
  ports = [];
  for (let count = 0; count < 4; count += 1) ports.push(await freePort('127.0.0.1', ports));
});

afterAll(() => service?.close());

/** An API on ports of its own, the same ones after a restart. */
const start = (index: number, stopDelayMs = STOP_DELAY_MS): Promise<ApiProcess> =>
  startApiProcess({
    ...service.environment,
    API_PORT: String(ports[2 * index]),
    METRICS_PORT: String(ports[2 * index + 1]),
    STOP_DELAY: `${stopDelayMs}ms`,
  });
const read = (url: string): Promise<Response> =>
  fetch(`${url}/institutions`, { headers: { authorization: `Bearer ${token}` } });

describe('STOP_DELAY', () => {
  it('lets two APIs restart one after the other without a refused request behind a balancer that notices late', async () => {
    const apis = [await start(0), await start(1)];
    const balancer = await startLateBalancer(
      apis.map(({ url }) => url),
      BALANCER_LATE_MS,
    );
    const answers: Promise<number>[] = [];
    const clients = setInterval(
      () => answers.push(read(balancer.url).then(({ status }) => status)),
      REQUEST_EVERY_MS,
    );
    try {
      for (const [index, api] of apis.entries()) {
        await eventually(() => expect(balancer.serving()).toHaveLength(2));
        const asked = Date.now();
        await api.close();
        expect(Date.now() - asked).toBeGreaterThanOrEqual(STOP_DELAY_MS);
        expect(Date.now() - asked).toBeLessThan(STOP_DELAY_MS + 15_000);
        expect(balancer.serving()).not.toContain(api.url);
        apis[index] = await start(index);
      }
      await eventually(() => expect(balancer.serving()).toHaveLength(2));
    } finally {
      clearInterval(clients);
    }
    const statuses = await Promise.all(answers);
    await balancer.close();
    await Promise.all(apis.map((api) => api.close()));
    expect(statuses.length).toBeGreaterThan((2 * STOP_DELAY_MS) / REQUEST_EVERY_MS / 2);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  });

  it('makes readiness 503 and ends connections after their response, while calls are served', async () => {
    const api = await start(0);
    expect((await read(api.url)).headers.get('connection')).toBe('keep-alive');
    const closed = api.close();
    const notReady = await eventually(async () => {
      const response = await fetch(`${api.url}/health/ready`);
      expect(response.status).toBe(503);
      return response;
    });
    expect(notReady.headers.get('connection')).toBe('close');
    expect(await notReady.json()).toMatchObject({
      status: 'unavailable',
      parts: { process: 'down', database: 'up' },
    });
    const response = await read(api.url);
    expect([response.status, response.headers.get('connection')]).toEqual([200, 'close']);
    await closed;
  });

  it('ends early at a second signal', async () => {
    const api = await start(0, DELAY_OF_MINUTES_MS);
    const asked = Date.now();
    const closed = api.close();
    await eventually(async () => expect((await fetch(`${api.url}/health/ready`)).status).toBe(503));
    await Promise.all([closed, api.close()]);
    expect(Date.now() - asked).toBeLessThan(DELAY_OF_MINUTES_MS);
  });
});
