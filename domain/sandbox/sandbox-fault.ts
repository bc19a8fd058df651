import { apiTimestamp } from '../api/timestamps.js';

/** The operations a fault can affect. Source: link-lifecycle 14. */
export const FAULT_OPERATIONS = [
  'login',
  'accounts',
  'account_numbers',
  'identity',
  'transactions',
  'investments',
  'liabilities',
  'any',
] as const;
export type FaultOperation = (typeof FAULT_OPERATIONS)[number];

/**
 * The kinds of faults. Source: link-lifecycle 14; their consequences are in
 * domain/errors/failure-mapping.ts.
 */
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
  'unreadable_account',
  'unreadable_row',
  'unreadable_holding',
  'unreadable_liability',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface NewSandboxFault {
  faultId: string;
  operation: FaultOperation;
  kind: FaultKind;
  /** Number of fetches or logins affected; null = until it is deleted. */
  count: number | null;
  delaySeconds: number;
  /** Only with `rate_limited`. */
  retryAfterSeconds: number | null;
}

export interface SandboxFault extends Omit<NewSandboxFault, 'count'> {
  remaining: number | null;
  createdAt: Date;
}

/** The wire form of a Fault. Source: link-lifecycle 14. */
export function presentFault(
  fault: SandboxFault,
  { institutionId, worldId }: { institutionId: string; worldId: string },
) {
  return {
    fault_id: fault.faultId,
    institution_id: institutionId,
    world_id: worldId,
    operation: fault.operation,
    kind: fault.kind,
    remaining: fault.remaining,
    delay_seconds: fault.delaySeconds,
    retry_after_seconds: fault.retryAfterSeconds,
    created_at: apiTimestamp(fault.createdAt),
  };
}
export type PresentedFault = ReturnType<typeof presentFault>;
