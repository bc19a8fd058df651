import {
  FAULT_KINDS,
  FAULT_OPERATIONS,
  type FaultKind,
} from '../../../domain/sandbox/sandbox-fault.js';
import { Refusal, type Reply } from '../../http/reply.js';
import { BankError, type BankErrorCode } from '../http/bank-error.js';
import type { FaultPlace, FaultStore } from './fault-store.js';

/** A response with one unreadable part. */
export type UntidyKind = Extract<FaultKind, `unreadable_${string}`>;

/** The response of the bank to a call that meets a fault, after its delay. */
type FaultAnswer = 'as_usual' | 'broken_off' | { untidy: UntidyKind } | BankErrorCode;

/** Responses to a login and to a fetch, where they differ. Source: link-lifecycle 14, Faults. */
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
  unreadable_account: { untidy: 'unreadable_account' },
  unreadable_row: { untidy: 'unreadable_row' },
  unreadable_holding: { untidy: 'unreadable_holding' },
  unreadable_liability: { untidy: 'unreadable_liability' },
};

/** A success whose body cannot be parsed. */
const BROKEN_OFF: Reply = {
  status: 200,
  text: '{"accounts":[{"account_id":"',
  contentType: 'application/json; charset=utf-8',
};

type Operation = FaultPlace['operation'];

/** Kinds that affect some operations only, and are not consumed by the others. */
const ONLY_AT: Readonly<Partial<Record<FaultKind, readonly Operation[]>>> = {
  not_supported: FAULT_OPERATIONS.filter((it) => it !== 'login' && it !== 'any'),
  unreadable_account: ['accounts'],
  unreadable_row: ['transactions'],
  unreadable_holding: ['investments'],
  unreadable_liability: ['liabilities'],
};

const kindsWithout = (operation: Operation): FaultKind[] =>
  FAULT_KINDS.filter((kind) => ONLY_AT[kind]?.includes(operation) === false);

/**
 * Lets a call through, delays it or blocks it, by the faults of its world. Throws the bank's error
 * response.
 * @returns the unreadable part of the response; null = none
 */
export type FaultGate = (place: Omit<FaultPlace, 'without'>) => Promise<UntidyKind | null>;

/** @param pause waits for a number of seconds */
export function createFaultGate(
  faults: FaultStore,
  pause: (seconds: number) => Promise<void>,
): FaultGate {
  return async (place) => {
    const isLogin = place.operation === 'login';
    const fault = await faults.meet({ ...place, without: kindsWithout(place.operation) });
    if (fault === null) return null;
    await pause(fault.delaySeconds);
    const answers = ANSWERS[fault.kind];
    const answer =
      typeof answers === 'object' && 'login' in answers
        ? answers[isLogin ? 'login' : 'data']
        : answers;
    if (answer === 'as_usual') return null;
    if (typeof answer === 'object') return answer.untidy;
    if (answer === 'broken_off') throw new Refusal(BROKEN_OFF);
    const headers: Record<string, string> =
      fault.retryAfterSeconds === null ? {} : { 'retry-after': String(fault.retryAfterSeconds) };
    throw new BankError(answer, 'A fault was requested here.', headers);
  };
}
