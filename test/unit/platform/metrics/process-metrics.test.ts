import { Registry } from 'prom-client';
import { collectProcessMetrics } from '../../../../apps/platform/src/metrics/process-metrics.js';

describe('The metrics of a process', () => {
  it('include processor time, memory and the utilization of the event loop', async () => {
    const registry = new Registry();
    collectProcessMetrics(registry);
    const read = async (name: string): Promise<number> =>
      Number(new RegExp(`^${name} (.+)$`, 'm').exec(await registry.metrics())?.[1]);
    const before = await read('nodejs_eventloop_active_seconds_total');
    const end = performance.now() + 20;
    while (performance.now() < end);
    // The time of a turn of the loop is counted when the turn is finished.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    expect((await read('nodejs_eventloop_active_seconds_total')) - before).toBeGreaterThanOrEqual(
      0.02,
    );
    expect(await read('process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(await read('process_resident_memory_bytes')).toBeGreaterThan(0);
  });

  it('omit the event loop histogram, whose timer would wake the process all the time', async () => {
    const registry = new Registry();
    collectProcessMetrics(registry);
    expect((await registry.metrics()).match(/^nodejs_eventloop_lag\w+/gm)).toEqual([
      'nodejs_eventloop_lag_seconds',
    ]);
  });
});
