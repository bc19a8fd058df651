import { ProviderFailure } from '../../domain/errors/provider-failure.js';

/**
 * Limits of every call; times in milliseconds. A fault may delay a response for two minutes
 * (link-lifecycle 14).
 */
export interface BankHttpLimits {
  connectTimeoutMs: number;
  /** Maximum silence before the response starts and between two parts of it. */
  silenceTimeoutMs: number;
  /** The whole call, from connecting to the last byte. */
  callTimeoutMs: number;
  /** Replaces both for calls of a login, where a slow bank may be silent for a minute. */
  loginTimeoutMs: number;
  maxResponseBytes: number;
}

export const DEFAULT_LIMITS: Readonly<BankHttpLimits> = {
  connectTimeoutMs: 5_000,
  silenceTimeoutMs: 130_000,
  callTimeoutMs: 145_000,
  loginTimeoutMs: 145_000,
  maxResponseBytes: 4 * 1024 * 1024,
};

/**
 * Runs a call that ends with the caller's signal or its own deadline, whichever comes first.
 * @throws ProviderFailure `institution_timeout` after the deadline, otherwise the result of
 * `translate`
 */
export async function withDeadline<T>(
  caller: AbortSignal,
  timeoutMs: number,
  run: (signal: AbortSignal) => Promise<T>,
  translate: (error: unknown) => ProviderFailure,
): Promise<T> {
  caller.throwIfAborted();
  const controller = new AbortController();
  const cancel = (): void => controller.abort();
  caller.addEventListener('abort', cancel, { once: true });
  const timer = setTimeout(cancel, timeoutMs);
  try {
    return await run(controller.signal);
  } catch (error) {
    caller.throwIfAborted();
    if (controller.signal.aborted)
      throw new ProviderFailure(
        'institution_timeout',
        'The bank did not finish its response in time.',
      );
    throw error instanceof ProviderFailure ? error : translate(error);
  } finally {
    clearTimeout(timer);
    caller.removeEventListener('abort', cancel);
  }
}
