import { BankError } from '../http/bank-error.js';
import { BrokenOff } from '../http/broken-off.js';
import type { FaultPlace, FaultStore } from './fault-store.js';
import { FAULT_ANSWERS, NOT_AT_LOGIN } from './fault-kinds.js';

/**
 * Lets a call through, delays it or blocks it, by the faults of its world. Throws the bank's error
 * response.
 */
export type FaultGate = (place: Omit<FaultPlace, 'without'>) => Promise<void>;

export interface FaultGateParts {
  faults: Pick<FaultStore, 'meet'>;
  delayFactor: number;
  pause: (milliseconds: number) => Promise<void>;
}

export function createFaultGate({ faults, delayFactor, pause }: FaultGateParts): FaultGate {
  return async (place) => {
    const isLogin = place.operation === 'login';
    const fault = await faults.meet({ ...place, without: isLogin ? NOT_AT_LOGIN : [] });
    if (fault === null) return;
    await pause(fault.delaySeconds * 1_000 * delayFactor);
    const answer = FAULT_ANSWERS[fault.kind][isLogin ? 'login' : 'data'];
    if (answer === 'as_usual') return;
    if (answer === 'broken_off') throw new BrokenOff();
    const headers: Record<string, string> =
      fault.retryAfterSeconds === null ? {} : { 'retry-after': String(fault.retryAfterSeconds) };
    throw new BankError(answer, 'A fault was asked for here.', headers);
  };
}
