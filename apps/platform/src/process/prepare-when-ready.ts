import { setTimeout as pause } from 'node:timers/promises';
import { examine, type HealthCheck } from './health-check.js';

const AGAIN_AFTER_MS = 1_000;
/** An unavailable part refuses or stays silent for longer; one on a busy computer does not. */
const PATIENCE_MS = 5_000;

export interface PreparationOptions {
  /** Each check logs the cause of its failure. */
  checks: readonly HealthCheck[];
  /** Runs once the checks pass, and again after a failure. */
  prepare: () => Promise<unknown>;
  onError: (error: unknown) => void;
  /** Called after each check while the process has to wait. */
  onWait?: () => void;
  /** Aborts when the process stops. */
  stopping: AbortSignal;
}

/** Waits until the checks pass, or the process stops. */
export async function untilReady(
  checks: readonly HealthCheck[],
  stopping: AbortSignal,
): Promise<void> {
  const nothing = async (): Promise<void> => undefined;
  await prepareWhenReady({ checks, prepare: nothing, onError: () => undefined, stopping });
}

/**
 * Waits until the checks pass, however long that takes, and prepares the process for its work: the remedy of a fault needs
 * no restart. @returns false when the process stops before
 */
export async function prepareWhenReady({
  checks,
  prepare,
  onError,
  onWait,
  stopping,
}: PreparationOptions): Promise<boolean> {
  while (!stopping.aborted) {
    if ((await examine(checks, PATIENCE_MS)).status === 'ready') {
      try {
        await prepare();
        return true;
      } catch (error) {
        onError(error);
      }
    }
    onWait?.();
    await pause(AGAIN_AFTER_MS, undefined, { signal: stopping }).catch(() => undefined);
  }
  return false;
}
