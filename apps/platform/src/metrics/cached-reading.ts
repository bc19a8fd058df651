import type { Registry } from 'prom-client';
import { createCounter, createGauge } from './create-metric.js';

/** Time between readings of gauges from the database, whatever the number of scrapes. */
const READ_EVERY_MS = 15_000;
/** The longest wait of a scrape for gauges; the other metrics are then shown without them. */
const PATIENCE_MS = 3_000;

export interface ReadingOptions {
  /** Milliseconds since any fixed point. */
  now?: () => number;
  patienceMs?: number;
}

/** The last result; null = the database did not respond. Never rejects. */
export type Reading<T> = () => Promise<T | null>;

/**
 * Creates functions that read gauges from the database, at most every 15 seconds: all gauges of one scrape share a result.
 * Failures are counted, and their gauges are missing rather than out of date.
 */
export function createReadings(
  registry: Registry,
  { now = () => performance.now(), patienceMs = PATIENCE_MS }: ReadingOptions = {},
) {
  const took = createGauge(registry, 'tributary_gauge_reading_seconds');
  const failed = createCounter(registry, 'tributary_gauge_readings_failed_total');
  return <T>(reading: string, read: () => Promise<T>, everyMs = READ_EVERY_MS): Reading<T> => {
    failed.inc({ reading }, 0);
    let last: Promise<T | null> | undefined;
    let readAt = 0;
    let isReading = false;
    const readNow = async (): Promise<T | null> => {
      isReading = true;
      readAt = now();
      try {
        const result = await read();
        took.set({ reading }, (now() - readAt) / 1_000);
        return result;
      } catch {
        took.remove({ reading });
        failed.inc({ reading });
        return null;
      } finally {
        isReading = false;
      }
    };
    return async () => {
      if (last === undefined || (!isReading && now() - readAt >= everyMs)) last = readNow();
      return within(last, patienceMs);
    };
  };
}

async function within<T>(result: Promise<T | null>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([result, patience]);
  } finally {
    clearTimeout(timer);
  }
}
