import { Registry } from 'prom-client';
import { createReadings } from '../../../../apps/platform/src/metrics/cached-reading.js';
import { parseScrape } from '../../../support/metrics/scrape.js';

function readings(options: { patienceMs?: number } = {}) {
  const registry = new Registry();
  const clock = { ms: 0 };
  const reading = createReadings(registry, { now: () => clock.ms, ...options });
  const shown = async (name: string) =>
    parseScrape(await registry.metrics()).series.get(`${name}{reading="work"}`);
  return { reading, clock, shown };
}

describe('A reading of gauges from the database', () => {
  it('is made at most every 15 seconds, however often and by however many gauges it is requested', async () => {
    const { reading, clock } = readings();
    let made = 0;
    const read = reading('work', async () => (made += 1));
    expect(await Promise.all([read(), read()])).toEqual([1, 1]);
    clock.ms = 14_999;
    expect(await read()).toBe(1);
    clock.ms = 15_000;
    expect(await read()).toBe(2);
  });

  it('returns nothing when it fails, is counted, and is made again after the same time', async () => {
    const { reading, clock, shown } = readings();
    let isAway = true;
    const read = reading('work', async () => {
      if (isAway) throw new Error('connection refused');
      return 'rows';
    });
    expect(await shown('tributary_gauge_readings_failed_total')).toBe(0);
    expect([await read(), await read()]).toEqual([null, null]);
    expect(await shown('tributary_gauge_readings_failed_total')).toBe(1);
    isAway = false;
    clock.ms = 15_000;
    expect(await read()).toBe('rows');
    expect(await shown('tributary_gauge_readings_failed_total')).toBe(1);
  });

  it('is not awaited when it does not finish, and not made a second time in the meantime', async () => {
    const { reading, clock } = readings({ patienceMs: 10 });
    let made = 0;
    const read = reading('work', () => {
      made += 1;
      return new Promise<never>(() => undefined);
    });
    expect(await read()).toBeNull();
    clock.ms = 60_000;
    expect(await read()).toBeNull();
    expect(made).toBe(1);
  });

  it('reports the duration of the last one', async () => {
    const { reading, clock, shown } = readings();
    const read = reading('work', async () => (clock.ms += 20));
    await read();
    expect(await shown('tributary_gauge_reading_seconds')).toBe(0.02);
  });
});
