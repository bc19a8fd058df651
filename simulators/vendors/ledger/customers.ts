import type { Customer } from './ledger.types.js';

export interface CustomerTemplate extends Omit<Customer, 'connections'> {
  banks: readonly string[];
}

/** The people who sign in at the vendors' pages. */
export const CUSTOMER_TEMPLATES: readonly CustomerTemplate[] = [
  {
    id: 'trial',
    name: 'Tilda Trial',
    email: 'tilda@trial.example',
    phone: '+12025550143',
    address: {
      street: '12 Harbour Street',
      city: 'Portland',
      region: 'ME',
      postalCode: '04101',
      country: 'US',
    },
    banks: ['harbour', 'prairie', 'meridian', 'riviere', 'saaristo', 'faro'],
  },
  {
    // Has the same accounts at every vendor: for moving a link from one to another.
    id: 'mover',
    name: 'Maren Mover',
    email: 'maren@mover.example',
    phone: '+493012345678',
    address: {
      street: 'Meridianstraße 7',
      city: 'Berlin',
      region: null,
      postalCode: '10115',
      country: 'DE',
    },
    banks: ['meridian'],
  },
  {
    // Has other accounts at the same banks as the first: for the separation of customers.
    id: 'neighbor',
    name: 'Nora Neighbor',
    email: 'nora@neighbor.example',
    phone: '+12025550177',
    address: {
      street: '14 Harbour Street',
      city: 'Portland',
      region: 'ME',
      postalCode: '04101',
      country: 'US',
    },
    banks: ['harbour', 'saaristo'],
  },
  {
    // Has brokerage accounts, which only SimpleFIN reads.
    id: 'investor',
    name: 'Ines Investor',
    email: 'ines@investor.example',
    phone: '+12025550188',
    address: {
      street: '3 Summit Road',
      city: 'Portland',
      region: 'ME',
      postalCode: '04101',
      country: 'US',
    },
    banks: ['harbour', 'summit'],
  },
  {
    id: 'empty',
    name: 'Emil Empty',
    email: 'emil@empty.example',
    phone: '+358401234567',
    address: {
      street: 'Tyhjäkatu 1',
      city: 'Helsinki',
      region: null,
      postalCode: '00100',
      country: 'FI',
    },
    banks: [],
  },
];
