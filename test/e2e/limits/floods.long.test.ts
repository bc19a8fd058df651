import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../apps/standalone/src/ports.js';
import { flood, type FloodOrders } from './support/flood.js';
import { ANONYMOUS_FLOODS } from './support/anonymous-floods.js';
import { cannotLimitMemory, limitMemory, type MemoryLimit } from './support/memory-limit.js';
import { ApiClient } from '../../support/services/api-client.js';
import {
  connectedLink,
  startApiInProcess,
  type ApiInProcess,
} from '../../support/services/api-in-process.js';
import { startApiProcess, type ApiProcess } from '../../support/services/api-process.js';

/** The memory limit of an API in deploy/kubernetes. */
const GIB = 1024 ** 3;
const IDLE_SECONDS = 5;
const ROUNDS = 3;
const FLOOD = { connections: 600, perSecond: 100, seconds: 20 };
/** The most by which a flood may slow 95 of 100 calls of another tenant. */
const MAX_RATIO = 5;

const missing = cannotLimitMemory();
const title = 'An API with 1 GiB of memory';

(missing === undefined ? describe : describe.skip)(
  missing === undefined ? title : `${title} (${missing})`,
  () => {
    let rows: ApiInProcess;
    let memory: MemoryLimit;
    let api: ApiProcess;
    let tenant: ApiClient;
    let linkId: string;

    beforeAll(async () => {
      rows = await startApiInProcess();
      const token = await rows.token('rival');
      linkId = await connectedLink(rows, token);
      memory = limitMemory(`tributary-${randomBytes(4).toString('hex')}`, GIB);
      const port = await freePort('127.0.0.1');
      const ports = {
        API_PORT: String(port),
        METRICS_PORT: String(await freePort('127.0.0.1', [port])),
      };
      // The limits of a deployed API, except that the measured calls are more frequent.
      const limits = { RATE_LIMIT_TOKEN: '5/s:20', RATE_LIMIT_FAILED_AUTH: '1/s:20' };
      api = await startApiProcess({ ...rows.environment, ...limits, ...ports }, memory.add);
      tenant = new ApiClient(api.url, token);
    });

    afterAll(async () => {
      await api?.close();
      memory?.remove();
      await rows?.close();
    });

    /** Reads and changes a link in turn; returns the milliseconds of each call, sorted. */
    async function timesOfCalls(seconds: number): Promise<number[]> {
      const times: number[] = [];
      const end = performance.now() + seconds * 1_000;
      for (let call = 0; performance.now() < end; call += 1) {
        const started = performance.now();
        const { status } =
          call % 2 === 0
            ? await tenant.get(`/links/${linkId}`)
            : await tenant.send('PATCH', `/links/${linkId}`, { json: { tags: [`n:${call}`] } });
        times.push(performance.now() - started);
        expect(status).toBe(200);
        await sleep(30);
      }
      return times.sort((a, b) => a - b);
    }

    const during = (
      orders: Pick<FloodOrders, 'connections' | 'perSecond' | 'seconds' | 'requests'>,
    ) =>
      Promise.all([
        flood({ url: api.url, localAddress: '127.0.0.2', ...orders }),
        timesOfCalls(orders.seconds),
      ]);

    it('survives 1,900 half-sent bodies of one address, and serves the calls of another tenant', async () => {
      const requests = ANONYMOUS_FLOODS['half-sent bodies'] ?? [];
      const [{ sent }] = await during({
        connections: 1_900,
        perSecond: 400,
        seconds: 20,
        requests,
      });
      expect(sent).toBeGreaterThan(1_900);
      // Its memory would keep growing by the bytes still in transit.
      await timesOfCalls(IDLE_SECONDS);
      report('1,900 half-sent bodies', `${megabytes(memory.peak())} MB at most`);
    });

    it.each(Object.entries(ANONYMOUS_FLOODS))(
      'serves another tenant nearly as fast as when it is idle during a flood of %s',
      async (kind, requests) => {
        let ratio = Infinity;
        // Other work of the computer slows some rounds. A defect slows all of them.
        for (let round = 1; round <= ROUNDS && ratio > MAX_RATIO; round += 1) {
          const before = p95(await timesOfCalls(IDLE_SECONDS));
          const [{ statuses }, times] = await during({ ...FLOOD, requests });
          const idle = Math.max(before, p95(await timesOfCalls(IDLE_SECONDS)));
          ratio = p95(times) / idle;
          const figures = `p95 ${p95(times).toFixed(1)} ms, ${ratio.toFixed(1)} × idle, ${megabytes(memory.peak())} MB at most so far`;
          report(kind, `${figures}, responses ${JSON.stringify(statuses)}`);
        }
        expect(ratio).toBeLessThanOrEqual(MAX_RATIO);
      },
    );
  },
);

const p95 = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length * 0.95)] ?? NaN;
const megabytes = (bytes: number): number => Math.round(bytes / 1024 ** 2);

function report(kind: string, figures: string): void {
  process.stderr.write(`flood of ${kind}: ${figures}\n`);
}
