import { setTimeout as pause } from 'node:timers/promises';
import type { LinkRow } from '../../../prisma/announcements/events/record-webhook-event.js';
import type { EndpointMode } from '../servers/webhook-endpoints.js';
import type { Report } from './report.js';
import type { WebhookData } from './webhook-data.js';
import { timeAt } from './webhook-times.js';

interface Retried {
  data: WebhookData;
  report: Report;
  /** Of the endpoint of `link`. */
  setMode: (mode: EndpointMode) => Promise<void>;
  link: LinkRow;
}

/**
 * Failures at one endpoint: 50 at once, then 1,000 spread over a minute. Measures the delay of the
 * second attempts.
 */
export async function measureRetries(retried: Retried): Promise<void> {
  const { data, report, setMode, link } = retried;
  await setMode('fails');
  await secondAttempts(retried, '50 that fail together', 50, async () => {
    await data.recordMany(50, [link]);
  });
  await secondAttempts(retried, '1,000 that fail within a minute', 1_000, async () => {
    for (let second = 0; second < 60; second += 1) {
      await data.recordMany(second < 40 ? 17 : 16, [link]);
      await pause(1_000);
    }
  });
  await setMode('answers');
  const answersAt = performance.now();
  while (!(await data.isDone())) await pause(500);
  const seconds = (performance.now() - answersAt) / 1_000;
  report.note('recovery', seconds, `all are delivered ${seconds.toFixed(0)} s after it recovers`);
}

async function secondAttempts(
  { data, report }: Retried,
  name: string,
  count: number,
  fail: () => Promise<void>,
) {
  const since = new Date();
  await fail();
  let late: number[] = [];
  while (late.length < count) {
    await pause(500);
    late = await data.secondAttemptsLateMs(since);
  }
  report.note(
    name,
    late,
    `${name}: second attempts ${(timeAt(late, 0.5) / 1_000).toFixed(1)} s after 5 s (median), 95 % ${(timeAt(late, 0.95) / 1_000).toFixed(1)} s, most ${(timeAt(late, 1) / 1_000).toFixed(1)} s`,
  );
}
