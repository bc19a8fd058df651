import {
  ACCOUNTS_OF_AREAS,
  RAINY_DAY_SAVINGS,
  EVERYDAY_CHECKING,
  REWARDS_CARD,
  type AccountTemplate,
} from './account-templates.js';

export interface InstitutionDefinition {
  institutionId: string;
  name: string;
  /**
   * `none`: the customer is connected immediately. `steps`: prompted here, step by step. `pages`: signs in
   * on the bank's own pages.
   */
  login: 'none' | 'steps' | 'pages';
  accounts: readonly AccountTemplate[];
}

const ALL_ACCOUNTS = [EVERYDAY_CHECKING, RAINY_DAY_SAVINGS, REWARDS_CARD, ...ACCOUNTS_OF_AREAS];

/** Every sandbox bank of this server. Source: link-lifecycle 13.1. */
const INSTITUTIONS: readonly InstitutionDefinition[] = [
  {
    institutionId: 'sandbox-instant-bank',
    name: 'Instant Bank',
    login: 'none',
    accounts: [EVERYDAY_CHECKING, RAINY_DAY_SAVINGS, ...ACCOUNTS_OF_AREAS],
  },
  {
    institutionId: 'sandbox-credentials-bank',
    name: 'Credentials Bank',
    login: 'steps',
    accounts: ALL_ACCOUNTS,
  },
  {
    institutionId: 'sandbox-oauth-bank',
    name: 'OAuth Bank',
    login: 'pages',
    accounts: ALL_ACCOUNTS,
  },
];

export function findInstitution(institutionId: string): InstitutionDefinition | null {
  return INSTITUTIONS.find((institution) => institution.institutionId === institutionId) ?? null;
}
