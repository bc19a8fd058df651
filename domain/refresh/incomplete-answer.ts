import type { IncompleteReason } from '../link/incomplete-account.js';
import type { FaultReason, SourceFault } from './source-fault.js';

/** An account of which an answer contains less than there is. */
export interface IncompleteAccount {
  /** The provider's id; null = an unknown account, which may be any. */
  providerAccountId: string | null;
  /** What its user would recognize it by; null = unknown. */
  name: string | null;
  reason: IncompleteReason;
  /** What could not be read, and which field of it; '' = the whole. */
  resource: string;
  field: string;
  /** Why; null where the source says nothing of it. */
  fault: FaultReason | null;
}

/**
 * The accounts of which an answer is incomplete, each once with its first fault. `unreported`:
 * provider ids of those of which it says nothing.
 */
export function incompleteAccounts(
  faults: readonly SourceFault[],
  unreported: readonly string[] = [],
): IncompleteAccount[] {
  const accounts = new Map<string, IncompleteAccount>();
  const add = (account: IncompleteAccount) => {
    const key = JSON.stringify([
      account.providerAccountId,
      account.providerAccountId === null ? account.name : null,
    ]);
    if (!accounts.has(key)) accounts.set(key, account);
  };
  for (const { scope, account, accountName = null, resource, field, reason } of faults)
    if (scope !== 'value')
      add({
        providerAccountId: account,
        name: accountName,
        reason: 'unreadable',
        resource,
        field,
        fault: reason,
      });
  for (const providerAccountId of unreported)
    add({
      providerAccountId,
      name: null,
      reason: 'not_reported',
      resource: 'account',
      field: '',
      fault: null,
    });
  return [...accounts.values()];
}

/** Whether an answer may lack data of an account, so that what is missing in it is not gone. */
export function mayLackData(
  incomplete: readonly IncompleteAccount[],
): (providerAccountId: string) => boolean {
  const ids = new Set(incomplete.map(({ providerAccountId }) => providerAccountId));
  return (id) => ids.has(null) || ids.has(id);
}

/**
 * Whether an account keeps what is stored of it: the answer about it is incomplete, or it says
 * nothing of an account that is missing or may be. `given`: by provider id, what the answer contains.
 */
export function keepsStored(
  incomplete: readonly IncompleteAccount[],
  given: ReadonlyMap<string, unknown>,
): (account: { providerAccountId: string; missingSince: Date | null }) => boolean {
  const isLacking = mayLackData(incomplete);
  const named = new Set(incomplete.map(({ providerAccountId }) => providerAccountId));
  return ({ providerAccountId: id, missingSince }) =>
    named.has(id) || (!given.has(id) && (missingSince !== null || isLacking(id)));
}
