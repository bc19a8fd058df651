import { ProviderFailure } from '../../domain/errors/provider-failure.js';

/**
 * Runs the first call of a login, and abandons it when the bank has not responded in time.
 * @throws ProviderFailure `institution_timeout`, which counts against the health of the route as
 * every silence of a bank does
 */
export async function withinPatience<T>(
  patienceMs: number | undefined,
  caller: AbortSignal,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (patienceMs === undefined) return call(caller);
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(tooSlow()), patienceMs);
  try {
    return await call(AbortSignal.any([caller, patience.signal]));
  } finally {
    clearTimeout(timer);
  }
}

const tooSlow = (): ProviderFailure =>
  new ProviderFailure(
    'institution_timeout',
    'The bank did not respond before another route could.',
  );
