import type { FaultKind } from '../../../../domain/sandbox/sandbox-fault.js';
import { BankError, BrokenOff, type BankErrorCode } from '../http/bank-error.js';
import type { FaultPlace, FaultStore } from './fault-store.js';

/** How the bank responds to a call that meets a fault, after its delay. */
type FaultAnswer = 'as_usual' | 'broken_off' | BankErrorCode;

/** Of a login and of a fetch, where they differ. Source: link-lifecycle 14, Faults. */
const ANSWERS: Readonly<
  Record<FaultKind, FaultAnswer | { login: FaultAnswer; data: FaultAnswer }>
> = {
  slow: 'as_usual',
  timeout: 'gave_up_waiting',
  server_error: 'internal_error',
  rate_limited: 'too_many_requests',
  provider_down: 'partner_unavailable',
  malformed: 'broken_off',
  auth_expired: { login: 'login_refused', data: 'consent_expired' },
  not_supported: { login: 'as_usual', data: 'not_offered' },
  no_permission: 'access_denied',
  no_accounts: 'no_accounts',
};

/** Kinds that do not affect a login and are not consumed by it. */
const NOT_AT_LOGIN: readonly FaultKind[] = ['not_supported'];

/**
 * Lets a call through, delays it or blocks it, by the faults of its world. Throws the bank's error
 * response.
 */
export type FaultGate = (place: Omit<FaultPlace, 'without'>) => Promise<void>;

/** @param pause waits for a number of seconds */
export function createFaultGate(
  faults: FaultStore,
  pause: (seconds: number) => Promise<void>,
): FaultGate {
  return async (place) => {
    const isLogin = place.operation === 'login';
    const fault = await faults.meet({ ...place, without: isLogin ? NOT_AT_LOGIN : [] });
    if (fault === null) return;
    await pause(fault.delaySeconds);
    const answers = ANSWERS[fault.kind];
    const answer = typeof answers === 'string' ? answers : answers[isLogin ? 'login' : 'data'];
    if (answer === 'as_usual') return;
    if (answer === 'broken_off') throw new BrokenOff();
    const headers: Record<string, string> =
      fault.retryAfterSeconds === null ? {} : { 'retry-after': String(fault.retryAfterSeconds) };
    throw new BankError(answer, 'A fault was asked for here.', headers);
  };
}
