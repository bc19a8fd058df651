import { Decimal } from 'decimal.js';
import type {
  FetchedHolding,
  FetchedLot,
} from '../../../../../domain/investments/fetched-holding.js';
import type { FetchedSecurity } from '../../../../../domain/investments/fetched-security.js';

export function securityOf(fields: Partial<FetchedSecurity> = {}): FetchedSecurity {
  return {
    ownId: null,
    name: null,
    symbol: null,
    exchange: null,
    isin: null,
    cusip: null,
    sedol: null,
    figi: null,
    type: null,
    subtype: null,
    currency: null,
    isCashEquivalent: null,
    option: null,
    fixedIncome: null,
    ...fields,
  };
}

/** Figures as a source sends them: text that is not a number was unreadable. */
export interface SentHolding {
  quantity: string;
  cost?: string;
  paid?: string;
  value?: string;
  price?: string;
  currency?: string;
  isTotal?: boolean;
  lots?: readonly (readonly [quantity: string, costBasis: string | null])[];
  security?: Partial<FetchedSecurity>;
}

export function holdingOf(sent: SentHolding, fields: Partial<FetchedHolding> = {}): FetchedHolding {
  return {
    providerAccountId: 'brokerage',
    providerHoldingId: null,
    security: securityOf(sent.security),
    quantity: new Decimal(sent.quantity),
    price: figure(sent.price),
    priceAsOf: null,
    value: figure(sent.value),
    currency: sent.currency ?? 'USD',
    cost: {
      reported: sent.cost ?? null,
      basis: figure(sent.cost),
      pricePaid: figure(sent.paid),
      isTotal: sent.isTotal ?? false,
    },
    lots: (sent.lots ?? []).map(lotOf),
    vestedQuantity: null,
    contributionSource: null,
    isCash: null,
    acquiredOn: null,
    subAccount: null,
    ...fields,
  };
}

function lotOf([quantity, costBasis]: readonly [string, string | null]): FetchedLot {
  return {
    providerLotId: null,
    acquiredOn: null,
    quantity: new Decimal(quantity),
    pricePaid: null,
    costBasis: costBasis === null ? null : new Decimal(costBasis),
    value: null,
  };
}

function figure(text: string | undefined): Decimal | null {
  return text === undefined || !/^-?[\d.]+$/.test(text) ? null : new Decimal(text);
}
