import { permits, type Scope } from '../api/scopes.js';

/** Details of an export that need scopes of their own. Source: native-api 3.7. */
export interface ExportedDetails {
  /** Full numbers of accounts and of counterparties. */
  numbers: boolean;
  /** Owners of accounts. */
  owners: boolean;
}

/** For the operator. */
export const ALL_DETAILS: ExportedDetails = { numbers: true, owners: true };

export const detailsFor = (scopes: readonly Scope[]): ExportedDetails => ({
  numbers: permits(scopes, 'numbers:read'),
  owners: permits(scopes, 'identity:read'),
});
