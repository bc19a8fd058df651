import type { Position } from './ledger.types.js';

export type PositionTemplate = Omit<Position, 'id'>;

/** The positions of brokerage accounts, by their kind. */
export const POSITIONS = {
  funds: [
    {
      symbol: 'EXTMX',
      name: 'Example Total Market Fund',
      units: '84.317',
      value: '6544.01',
      paid: '6120.44',
      pricePaid: '72.588446',
    },
    {
      symbol: 'NWND',
      name: 'Northwind Ltd',
      units: '250',
      value: '5310.00',
      paid: '4120.00',
      pricePaid: '16.48',
    },
    {
      symbol: null,
      name: 'Stable Value Trust',
      units: '1200.5',
      value: '1200.50',
      paid: null,
      pricePaid: null,
    },
  ],
  lots: [
    {
      symbol: 'EXTMX',
      name: 'Example Total Market Fund',
      units: '30',
      value: '2328.36',
      paid: '930.00',
      pricePaid: '31.00',
    },
    {
      symbol: 'EXTMX',
      name: 'Example Total Market Fund',
      units: '20',
      value: '1552.24',
      paid: '705.50',
      pricePaid: '35.275',
    },
  ],
  contradicting: [
    {
      symbol: 'NWND',
      name: 'Northwind Ltd',
      units: '500',
      value: '9900.00',
      paid: '7300.00',
      pricePaid: '21.10',
    },
  ],
} satisfies Record<string, readonly PositionTemplate[]>;
