import { findInstitution, type InstitutionDefinition } from '../institutions/institutions.js';
import { BankError } from './bank-error.js';
import type { SimulatorRequest } from '../../http/request.js';

/** The institution in the URL. */
export function institutionOf(request: SimulatorRequest): InstitutionDefinition {
  return knownInstitution(request.param('institutionId'));
}

/** @throws BankError for an unknown id */
export function knownInstitution(institutionId: string): InstitutionDefinition {
  const institution = findInstitution(institutionId);
  if (institution === null) throw new BankError('unknown_institution', 'Institution not found.');
  return institution;
}
