import { createHash } from 'node:crypto';
import type { InstitutionDefinition } from './institutions.js';

/** One customer as seen through one connection: everything the generated data depends on, besides the day. */
export interface Customer {
  connectionId: string;
  institution: InstitutionDefinition;
  worldSeed: string;
  /** Name the customer logged in with; empty where there is no login. */
  userName: string;
  customerReference: string;
}

/** link-lifecycle 13.2: the same seed gives the same data, whichever connection asks. */
export function dataSeedOf({ worldSeed, institution, userName, customerReference }: Customer): string {
  return JSON.stringify([worldSeed, institution.institutionId, userName, customerReference]);
}

/** Ids belong to a connection: derived, so they survive a restart without being stored. */
export function derivedId(prefix: string, { connectionId }: Pick<Customer, 'connectionId'>, ...parts: string[]): string {
  const digest = createHash('sha256').update(JSON.stringify([connectionId, prefix, ...parts])).digest('hex');
  return `${prefix}_${digest.slice(0, 24)}`;
}
