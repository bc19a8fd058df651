import { permits, type Scope } from '../api/scopes.js';
import type { ExportTable } from './export-format.js';

/** Details of an export that need scopes of their own. Source: native-api 3.7. */
export interface ExportedDetails {
  /** Full numbers of accounts and of counterparties. */
  numbers: boolean;
  /** Owners of accounts. */
  owners: boolean;
  /** Holdings with their history, securities and investment transactions. */
  investments: boolean;
  /** Debts. */
  liabilities: boolean;
}

/** For the operator. */
export const ALL_DETAILS: ExportedDetails = {
  numbers: true,
  owners: true,
  investments: true,
  liabilities: true,
};

export const detailsFor = (scopes: readonly Scope[]): ExportedDetails => ({
  numbers: permits(scopes, 'numbers:read'),
  owners: permits(scopes, 'identity:read'),
  investments: permits(scopes, 'investments:read'),
  liabilities: permits(scopes, 'liabilities:read'),
});

/** The scope that a table of an export needs beside that of the call; null = none. */
export const SCOPE_OF_TABLE: Readonly<Record<ExportTable, Scope | null>> = {
  transactions: null,
  holdings: 'investments:read',
  investment_transactions: 'investments:read',
  liabilities: 'liabilities:read',
};
