import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../../apps/standalone/src/ports.js';
import { eventually } from '../../support/assertions/eventually.js';
import { startApiInProcess, type ApiInProcess } from '../../support/services/api-in-process.js';
import { startApiProcess, type ApiProcess } from '../../support/services/api-process.js';
import { startLateBalancer } from '../../support/services/late-balancer.js';

const STOP_DELAY_MS = 3_000;
/** Longer than a test may take: a second signal ends it. */
const DELAY_OF_MINUTES_MS = 300_000;
const BALANCER_LATE_MS = 500;
const CLIENTS = 4;
const PAUSE_MS = 100;

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

/** An API on ports of its own, which stay the same after a restart. */
const start = (index: number, stopDelayMs = STOP_DELAY_MS): Promise<ApiProcess> =>
  startApiProcess({
    ...service.environment,
    API_PORT: String(ports[2 * index]),
    METRICS_PORT: String(ports[2 * index + 1]),
    STOP_DELAY: `${stopDelayMs}ms`,
  });
const read = (url: string): Promise<Response> =>
  fetch(`${url}/institutions`, { headers: { authorization: `Bearer ${token}` } });

/**
 * Repeats the call after each response, so that a busy computer gets no more requests than it can
 * serve.
 */
class Client {
  private readonly statuses: number[] = [];
  private isStopped = false;
  private readonly done: Promise<void>;

  constructor(url: string) {
    this.done = this.run(url);
  }

  /** Waits for a call that starts from now on. */
  async nextCall(): Promise<void> {
    const { length } = this.statuses;
    await eventually(() => expect(this.statuses.length).toBeGreaterThan(length + 1));
  }

  /** @returns the statuses of all of its calls */
  async stop(): Promise<number[]> {
    this.isStopped = true;
    await this.done;
    return this.statuses;
  }

  private async run(url: string): Promise<void> {
    while (!this.isStopped) {
      this.statuses.push((await read(url)).status);
      await pause(PAUSE_MS);
    }
  }
}

describe('STOP_DELAY', () => {
  it('lets two APIs restart one after another without a refused request behind a balancer that reacts late, and lasts for the configured time', async () => {
    const apis = [await start(0, DELAY_OF_MINUTES_MS), await start(1, DELAY_OF_MINUTES_MS)];
    const balancer = await startLateBalancer(
      apis.map(({ url }) => url),
      BALANCER_LATE_MS,
    );
    const clients = Array.from({ length: CLIENTS }, () => new Client(balancer.url));
    for (const [index, api] of apis.entries()) {
      await eventually(() => expect(balancer.serving()).toHaveLength(2));
      const closed = api.close();
      await eventually(() => expect(balancer.serving()).toEqual([apis[1 - index]?.url]));
      // Requests in transit to it have received their responses.
      await Promise.all(clients.map((client) => client.nextCall()));
      // The delay was long enough, however busy this computer is.
      await Promise.all([closed, api.close()]);
      apis[index] = await start(index);
    }
    await eventually(() => expect(balancer.serving()).toHaveLength(2));
    const statuses = (await Promise.all(clients.map((client) => client.stop()))).flat();
    await balancer.close();
    const asked = Date.now();
    await Promise.all(apis.map((api) => api.close()));
    expect(Date.now() - asked).toBeGreaterThanOrEqual(STOP_DELAY_MS);
    expect(statuses.length).toBeGreaterThan(CLIENTS * apis.length);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  });
});
