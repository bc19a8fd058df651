import type { AccountType, Bank, CostStyle } from './ledger.types.js';
import { POSITIONS, type PositionTemplate } from './positions.js';

/** The accounts of a customer at a bank, before numbers and rows are drawn. */
export interface AccountTemplate {
  name: string;
  type: AccountType;
  /** By default the currency of the bank. */
  currency?: string;
  /** Of a brokerage account. */
  costStyle?: CostStyle;
  positions?: readonly PositionTemplate[];
}

/** A currency that is not money, as SimpleFIN allows: an address that describes it. */
const MILES = 'https://prairie.example/currencies/miles';

interface BankTemplate extends Omit<Bank, 'isDown' | 'vendors'> {
  accounts: AccountTemplate[];
}

/** All names are invented, and all domains are reserved for examples (RFC 2606). */
export const BANK_TEMPLATES: readonly BankTemplate[] = [
  {
    ...american('harbour', 'Harbour Federal Bank', '021000918'),
    accounts: [
      { name: 'Everyday Checking', type: 'checking' },
      { name: 'Rainy Day Savings', type: 'savings' },
      { name: 'Harbour Rewards Card', type: 'credit_card' },
      { name: 'Car Loan', type: 'loan' },
    ],
  },
  {
    ...american('prairie', 'Prairie Credit Union', '091000446'),
    accounts: [
      { name: 'Share Draft', type: 'checking' },
      { name: 'Prairie Travel Card', type: 'credit_card' },
      { name: 'Travel Miles', type: 'savings', currency: MILES },
    ],
  },
  {
    ...american('summit', 'Summit Brokerage', '031000503'),
    accounts: [
      { ...brokerage('Brokerage with totals'), costStyle: 'total' },
      { ...brokerage('Brokerage with unit costs'), costStyle: 'per_unit' },
      { ...brokerage('Brokerage without prices paid'), costStyle: 'no_price_paid' },
      { ...brokerage('Brokerage with lots'), positions: POSITIONS.lots },
      { ...brokerage('Brokerage that contradicts itself'), positions: POSITIONS.contradicting },
    ],
  },
  {
    ...european('meridian', 'Meridian Bank', 'DE', 'MERIDEFFXXX'),
    accounts: [
      { name: 'Girokonto', type: 'checking' },
      { name: 'Tagesgeld', type: 'savings' },
      { name: 'Kreditkarte', type: 'credit_card' },
    ],
  },
  {
    ...european('riviere', 'Banque de la Rivière', 'FR', 'RIVIFRPPXXX'),
    accounts: [{ name: 'Compte courant', type: 'checking' }],
  },
  {
    ...european('saaristo', 'Saaristopankki', 'FI', 'SAARFIHHXXX'),
    accounts: [{ name: 'Käyttötili', type: 'checking' }],
  },
  {
    ...european('faro', 'Banco del Faro', 'ES', 'FAROESMMXXX'),
    accounts: [{ name: 'Cuenta corriente', type: 'checking' }],
  },
];

function brokerage(name: string): AccountTemplate {
  return { name, type: 'brokerage', positions: POSITIONS.funds };
}

function american(id: string, name: string, routingNumber: string) {
  return {
    id,
    name,
    country: 'US',
    currency: 'USD',
    bic: null,
    routingNumber,
    domain: `${id}.example`,
  };
}

function european(id: string, name: string, country: string, bic: string) {
  return {
    id,
    name,
    country,
    currency: 'EUR',
    bic,
    routingNumber: null,
    domain: `${id}.example`,
  };
}
