import { createHash } from 'node:crypto';
import { findMagicUser, type CustomerData } from './magic-users.js';
import type { DataArea } from '../institutions/data-areas.js';
import type { CustomData } from './custom-data.js';
import type { InstitutionDefinition } from '../institutions/institutions.js';

/** A person known to the bank, who keeps ids and data however often they connect. */
export interface CustomerIdentity {
  worldId: string;
  institution: InstitutionDefinition;
  /** The name the customer logged in with; empty without a login. */
  userName: string;
  customerReference: string;
}

/** A customer within one permission: all inputs of the data, except the day. */
export interface Customer extends CustomerIdentity {
  worldSeed: string;
  /** Keys of the accounts the permission covers; null = all. */
  accountKeys: readonly string[] | null;
  /** Data beyond everyday accounts that the permission covers. */
  areas: readonly DataArea[];
  /** The custom data of `user_custom`. */
  customData: CustomData | null;
}

export function dataKindOf({ userName, customData }: Customer): CustomerData {
  const kind = findMagicUser(userName)?.data ?? 'generated';
  return kind === 'custom' && customData === null ? 'generated' : kind;
}

/** link-lifecycle 13.2: the same seed produces the same data. */
export function dataSeedOf({
  worldSeed,
  institution,
  userName,
  customerReference,
}: Customer): string {
  return JSON.stringify([worldSeed, institution.institutionId, userName, customerReference]);
}

/**
 * link-lifecycle 8: ids survive another login of the same person; being derived, they survive a
 * restart without being stored.
 */
export function derivedId(prefix: string, identity: CustomerIdentity, ...parts: string[]): string {
  const { worldId, institution, userName, customerReference } = identity;
  const owner = [worldId, institution.institutionId, userName, customerReference];
  const digest = createHash('sha256')
    .update(JSON.stringify([...owner, prefix, ...parts]))
    .digest('hex');
  return `${prefix}_${digest.slice(0, 24)}`;
}
