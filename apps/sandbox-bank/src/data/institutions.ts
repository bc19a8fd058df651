/** One kind of account the bank opens for its customers. Source: link-lifecycle 13.2. */
export interface AccountTemplate {
  key: string;
  product: 'CHECKING' | 'SAVINGS';
  displayName: string;
  numberLast4: string;
  currency: 'USD';
  available: string;
  current: string;
  creditLimit: string | null;
  /** Everyday payments leave from here. */
  spending: boolean;
  /** Wages arrive here. */
  receivesWages: boolean;
}

export interface InstitutionDefinition {
  institutionId: string;
  name: string;
  /** `none`: the customer is connected at once. */
  login: 'none';
  accounts: readonly AccountTemplate[];
}

const EVERYDAY_CHECKING: AccountTemplate = {
  key: 'everyday-checking',
  product: 'CHECKING',
  displayName: 'Everyday Checking',
  numberLast4: '1101',
  currency: 'USD',
  available: '2210.52',
  current: '2350.00',
  creditLimit: null,
  spending: true,
  receivesWages: true,
};

const RAINY_DAY_SAVINGS: AccountTemplate = {
  key: 'rainy-day-savings',
  product: 'SAVINGS',
  displayName: 'Rainy Day Savings',
  numberLast4: '2202',
  currency: 'USD',
  available: '8400.00',
  current: '8400.00',
  creditLimit: null,
  spending: false,
  receivesWages: false,
};

/** Every pretend bank of this server. Source: link-lifecycle 13.1. */
const INSTITUTIONS: readonly InstitutionDefinition[] = [
  {
    institutionId: 'sandbox-instant-bank',
    name: 'Instant Bank',
    login: 'none',
    accounts: [EVERYDAY_CHECKING, RAINY_DAY_SAVINGS],
  },
];

export function findInstitution(institutionId: string): InstitutionDefinition | null {
  return INSTITUTIONS.find((institution) => institution.institutionId === institutionId) ?? null;
}
