import { apiTimestamp } from '../api/timestamps.js';
import type { IncompleteReason, PresentedIncomplete } from '../link/incomplete-account.js';
import type { IncompleteAccount } from './incomplete-answer.js';
import type { FaultReason } from './source-fault.js';

/** An account whose data was incomplete in the last refresh of a product, as it is stored. */
export interface StoredIncomplete {
  /** Null = an unknown account. */
  provider_account_id: string | null;
  name: string | null;
  reason: IncompleteReason;
  /** For operators: the unreadable resource, its field, and the reason. */
  resource: string;
  field: string;
  fault: FaultReason | null;
  /** The time since which every refresh was incomplete; ISO 8601. */
  since: string;
}

/** The maximum number of accounts that are kept. */
const MAX_STORED = 200;
const MAX_LENGTH = 300;

/**
 * The accounts to store after a refresh. An account that was incomplete before keeps its `since`.
 */
export function storedIncomplete(
  incomplete: readonly IncompleteAccount[],
  before: readonly StoredIncomplete[],
  now: Date,
): StoredIncomplete[] {
  return incomplete.slice(0, MAX_STORED).map(({ providerAccountId, name, ...what }) => {
    const id = storable(providerAccountId);
    const shown = storable(name);
    const known = before.find(
      (each) => each.provider_account_id === id && (id !== null || each.name === shown),
    );
    return {
      provider_account_id: id,
      name: shown,
      ...what,
      since: known?.since ?? now.toISOString(),
    };
  });
}

/** True for text that a JSON column stores unchanged. */
export const isStorable = (text: string): boolean => storable(text) === text;

/** Converts text into a form that a JSON column can store. */
function storable(text: string | null): string | null {
  return text === null
    ? null
    : [...text.replaceAll(/\p{Surrogate}|\0/gu, '')].slice(0, MAX_LENGTH).join('');
}

/** The permitted accounts of a link by the provider's ids. */
export type PermittedAccounts = Readonly<Record<string, { account_id: string; name: string }>>;

/**
 * The wire form. Accounts that the user did not share do not appear, nor does the name of an
 * unknown account, unless exactly one shared account has it. `awaited`: provider ids of shared
 * accounts that could not be read yet. Source: native-api 4.2.
 */
export function presentIncomplete(
  stored: readonly StoredIncomplete[],
  permitted: PermittedAccounts,
  awaited: readonly string[],
): PresentedIncomplete[] {
  return stored.flatMap(({ provider_account_id: id, name, reason, since }) => {
    const isAwaited = id !== null && awaited.includes(id);
    if (id !== null && !isAwaited && !Object.hasOwn(permitted, id)) return [];
    const account = id === null ? null : permitted[id];
    const namesakes = Object.values(permitted).filter((each) => each.name === name).length;
    return [
      {
        account_id: account?.account_id ?? null,
        account_name: account?.name ?? (isAwaited || namesakes === 1 ? name : null),
        reason,
        since: apiTimestamp(new Date(since)),
      },
    ];
  });
}
