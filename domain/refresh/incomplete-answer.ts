import type { IncompleteReason } from '../link/incomplete-account.js';
import type { FaultReason, SourceFault } from './source-fault.js';

/** An account whose data in a response is incomplete. */
export interface IncompleteAccount {
  /** The provider's id; null = an unknown account, which may be any account. */
  providerAccountId: string | null;
  /** A name that its user would recognize; null = unknown. */
  name: string | null;
  reason: IncompleteReason;
  /** The unreadable resource, and its field; '' = the whole resource. */
  resource: string;
  field: string;
  /** The reason; null if the source does not report on the account. */
  fault: FaultReason | null;
}

/**
 * The accounts whose data in a response is incomplete, each once with its first fault.
 * `unreported`: provider ids of accounts that the response does not report on.
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
    if (scope === 'row' || scope === 'account')
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

/**
 * Whether a response may lack data of an account, so that absence from it does not mean removal.
 */
export function mayLackData(
  incomplete: readonly IncompleteAccount[],
): (providerAccountId: string) => boolean {
  const ids = new Set(incomplete.map(({ providerAccountId }) => providerAccountId));
  return (id) => ids.has(null) || ids.has(id);
}

/**
 * Whether an account keeps its stored data: the response about it is incomplete, or it does not
 * report on an account that is missing or may be. `given`: the content of the response, by provider
 * id.
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
