import type { Logger } from '../logging/logger.js';
import { OnceAMinute } from '../logging/once-a-minute.js';
import { NotReady, type HealthCheck } from './health-check.js';

export interface WatchOptions {
  logger: Logger;
  /** Milliseconds; missing: the clock. */
  now?: () => number;
}

/** Time after which a failed part is checked again. */
const FAILURE_KEPT_MS = 1_000;
/** A caller that waits this long for another caller's check starts its own: the first connection may be lost. */
const SHARED_FOR_MS = 2_000;

/**
 * The same checks, with their results kept for `keptForMs`, and logged: the cause of a part that is down with its remedy, at
 * most once a minute for each part and cause, and when it is up again.
 */
export function watchChecks(
  checks: readonly HealthCheck[],
  { logger, now = Date.now }: WatchOptions,
): HealthCheck[] {
  const lines = new OnceAMinute(now);
  return checks.map((check) => ({
    ...check,
    check: kept(logged(check, { logger, lines }), check.keptForMs ?? 0, now),
  }));
}

function logged(
  { part, check }: HealthCheck,
  { logger, lines }: { logger: Logger; lines: OnceAMinute },
): () => Promise<void> {
  let isShownDown = false;
  return async () => {
    try {
      await check();
    } catch (error) {
      // A process that stops is not a fault.
      if (isAborted(error)) throw error;
      const { cause, remedy } = describeFailure(error);
      if (lines.lets(`${part}: ${cause}`)) {
        // Log: see [readiness](readiness.md).
        logger.warn({ part, cause, remedy }, 'health.part_down');
        isShownDown = true;
      }
      throw error;
    }
    if (isShownDown) logger.info({ part }, 'health.part_up');
    isShownDown = false;
  };
}

function kept(look: () => Promise<void>, keptForMs: number, now: () => number) {
  if (keptForMs === 0) return look;
  let last: { until: number; error?: unknown } | undefined;
  let pending: { since: number; result: Promise<void> } | undefined;
  const lookAgain = async (): Promise<void> => {
    try {
      await look();
      last = { until: now() + keptForMs };
    } catch (error) {
      last = { until: now() + Math.min(keptForMs, FAILURE_KEPT_MS), error };
      throw error;
    }
  };
  return async (): Promise<void> => {
    if (last !== undefined && now() < last.until) {
      if ('error' in last) throw last.error;
      return;
    }
    if (pending === undefined || now() - pending.since > SHARED_FOR_MS) {
      const started = { since: now(), result: lookAgain() };
      pending = started;
      const forget = (): void => {
        if (pending === started) pending = undefined;
      };
      started.result.then(forget, forget);
    }
    return pending.result;
  };
}

/** The cause of a part that does not hold, and its remedy if one is known. */
export function describeFailure(error: unknown): { cause: string; remedy?: string } {
  if (error instanceof NotReady) return { cause: error.message, remedy: error.remedy };
  if (!(error instanceof Error)) return { cause: String(error) };
  const [line = ''] = error.message.trim().split('\n');
  // Node's error for several addresses of a host has no message.
  return { cause: line || (error as { code?: string }).code || error.name };
}

const isAborted = (error: unknown): boolean => (error as { name?: unknown })?.name === 'AbortError';
