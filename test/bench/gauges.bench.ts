import { performance } from 'node:perf_hooks';
import { GaugeRepository } from '../../prisma/gauges/gauge.repository.js';
import { FILLED_AT, fillWithRows } from '../support/fixtures/many-rows.js';
import { openStorage } from '../support/fixtures/stored-link.js';
import { readOptions } from './support/options.js';
import { Report } from './support/report.js';

// 1,000,000 links with keys, products, a session and a delivered webhook each: what a reading of the gauges costs on an
// ordinary day, and on one on which everything waits.
const LINKS = 1_000_000;
const GOAL_MS = 50;
const READINGS = 40;
const DAYS = {
  'an ordinary day': { waiting: 500, undelivered: 1_000, endpoints: 50 },
  'a day on which everything waits': { waiting: 200_000, undelivered: 200_000, endpoints: 1_500 },
};

const options = readOptions();
const report = new Report('gauges');
for (const [day, rows] of Object.entries(DAYS)) {
  const storage = await openStorage(() => FILLED_AT);
  try {
    await fillWithRows(storage, { links: LINKS, ...rows });
    const gauges = new GaugeRepository(storage.ctx);
    // The first one prepares the statements, and reads pages that are not in memory yet.
    const times: number[] = [];
    for (let reading = 0; reading <= READINGS; reading += 1) {
      const began = performance.now();
      await gauges.read();
      times.push(performance.now() - began);
    }
    const [first = 0, ...others] = times;
    const sorted = others.sort((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    const longest = sorted.at(-1) ?? 0;
    report.note(
      day,
      { first, median, longest },
      `${day}: the first reading took ${first.toFixed(1)} ms, later ones ${median.toFixed(1)} ms (median), at most ${longest.toFixed(1)} ms; goal ${GOAL_MS} ms ${median < GOAL_MS ? 'reached' : 'MISSED'}`,
    );
  } finally {
    await storage.close();
  }
}
report.end(options.json);
