import type { BankErrorCode } from '../http/bank-error.js';

/** Source: link-lifecycle 14, Faults. */
export const FAULT_OPERATIONS = [
  'login',
  'accounts',
  'account_numbers',
  'identity',
  'transactions',
  'any',
] as const;
export type FaultOperation = (typeof FAULT_OPERATIONS)[number];

export const FAULT_KINDS = [
  'slow',
  'timeout',
  'server_error',
  'rate_limited',
  'provider_down',
  'malformed',
  'auth_expired',
  'not_supported',
  'no_permission',
  'no_accounts',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** How the bank responds to a call that meets a fault, after its delay. */
export type FaultAnswer = 'as_usual' | 'broken_off' | BankErrorCode;

/** The effect of a fault on a login and on a fetch. */
export const FAULT_ANSWERS: Readonly<Record<FaultKind, { login: FaultAnswer; data: FaultAnswer }>> =
  {
    slow: { login: 'as_usual', data: 'as_usual' },
    timeout: { login: 'gave_up_waiting', data: 'gave_up_waiting' },
    server_error: { login: 'internal_error', data: 'internal_error' },
    rate_limited: { login: 'too_many_requests', data: 'too_many_requests' },
    provider_down: { login: 'partner_unavailable', data: 'partner_unavailable' },
    malformed: { login: 'broken_off', data: 'broken_off' },
    auth_expired: { login: 'login_refused', data: 'consent_expired' },
    not_supported: { login: 'as_usual', data: 'not_offered' },
    no_permission: { login: 'access_denied', data: 'access_denied' },
    no_accounts: { login: 'no_accounts', data: 'no_accounts' },
  };

/** Kinds that do not affect a login and are not consumed by it. */
export const NOT_AT_LOGIN: readonly FaultKind[] = ['not_supported'];
