import { createHash } from 'node:crypto';
import type { ListedInstitution } from '../../../domain/institutions/listed-institution.js';

/** SHA-256 of an entry's facts in hex, regardless of the order of its fields. Equal = unchanged. */
export function factsDigest(facts: ListedInstitution): string {
  const fields = Object.entries(facts).sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}
