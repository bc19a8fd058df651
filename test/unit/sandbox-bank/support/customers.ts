import type { Customer } from '../../../../simulators/sandbox-bank/customers/customer.js';
import { findInstitution } from '../../../../simulators/sandbox-bank/institutions/institutions.js';

export const NOW = new Date('2026-03-02T15:00:00Z');
const found = findInstitution('sandbox-credentials-bank');
if (found === null) throw new Error('Credentials Bank is gone');
export const institution = found;

export function customerOf(userName: string, more: Partial<Customer> = {}): Customer {
  return {
    institution,
    worldId: 'default',
    worldSeed: '0',
    userName,
    customerReference: 'user-1',
    accountKeys: null,
    areas: [],
    customData: null,
    ...more,
  } as Customer;
}
