import type { PresentedNumbers } from '../accounts/account-numbers.js';
import type { PresentedOwner } from '../accounts/account-owner.js';
import type { AccountChange, NumbersChange, OwnersChange } from '../accounts/account-change.js';
import type { AuthUpdate, IdentityUpdate, ItemWebhook } from './webhooks.js';

type Part<Stored> = (stored: Stored) => unknown;

/** plaid-compat 8.1: only `/auth/get` distinguishes the schemes. */
const AUTH_PARTS: Readonly<Record<AuthUpdate, Part<PresentedNumbers | null>>> = {
  ACCOUNT_NUMBER: (all) => [
    all?.ach.map((number) => number.account_number),
    all?.eft.map((number) => number.account_number),
    all?.bacs.map((number) => number.account_number),
    all?.international.map(({ iban }) => iban),
  ],
  ROUTING_NUMBER: (all) => [
    all?.ach.map((number) => [number.routing_number, number.wire_routing_number]),
    all?.eft.map((number) => [number.institution_number, number.branch_number]),
    all?.bacs.map((number) => number.sort_code),
    all?.international.map(({ bic }) => bic),
  ],
};

const IDENTITY_PARTS: Readonly<Record<IdentityUpdate, Part<readonly PresentedOwner[]>>> = {
  ADDRESSES: (owners) => owners.flatMap(({ addresses }) => addresses),
  EMAILS: (owners) => owners.flatMap(({ emails }) => emails),
  NAMES: (owners) => owners.flatMap(({ names }) => names),
  PHONES: (owners) => owners.flatMap((owner) => owner.phone_numbers),
};

/** AUTH of plaid-compat 8.1; null when no change is visible to the client. */
export function authWebhook(changes: readonly NumbersChange[]): ItemWebhook | null {
  const fresh = changes.filter(({ before }) => before === null).map(({ accountId }) => accountId);
  const updated = updatesOf(
    changes.filter(({ before }) => before !== null),
    AUTH_PARTS,
  );
  if (fresh.length === 0 && Object.keys(updated).length === 0) return null;
  return {
    webhook_type: 'AUTH',
    webhook_code: 'DEFAULT_UPDATE',
    account_ids_with_new_auth: fresh,
    account_ids_with_updated_auth: updated,
    error: null,
  };
}

/** IDENTITY of plaid-compat 8.1. */
export function identityWebhook(changes: readonly OwnersChange[]): ItemWebhook | null {
  const updated = updatesOf(changes, IDENTITY_PARTS);
  if (Object.keys(updated).length === 0) return null;
  return {
    webhook_type: 'IDENTITY',
    webhook_code: 'DEFAULT_UPDATE',
    account_ids_with_updated_identity: updated,
    error: null,
  };
}

/** The parts in which accounts differ. */
function updatesOf<Name extends string, Stored>(
  changes: readonly AccountChange<Stored>[],
  parts: Readonly<Record<Name, Part<Stored>>>,
): Record<string, Name[]> {
  const updated: Record<string, Name[]> = {};
  for (const { accountId, before, after } of changes) {
    // The compiler does not infer the keys of a record.
    const names = (Object.keys(parts) as Name[]).filter(
      (name) => JSON.stringify(parts[name](before)) !== JSON.stringify(parts[name](after)),
    );
    if (names.length > 0) updated[accountId] = names;
  }
  return updated;
}
