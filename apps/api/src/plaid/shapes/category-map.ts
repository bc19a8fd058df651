import { byDirection, type ByDirection } from './by-direction.js';

export type Version = 'v1' | 'v2';

/** One code, or one for each version of the list of categories. */
type Code = string | Readonly<Record<Version, string>>;
type Codes = ByDirection<Code>;

interface Group {
  /** For subgroups without a code of their own. */
  fallback: Codes;
  subgroups?: Readonly<Record<string, Codes>>;
}

const both = (suffix: string): Codes => ({
  in: `TRANSFER_IN_${suffix}`,
  out: `TRANSFER_OUT_${suffix}`,
});
const OTHER_TRANSFER: Codes = {
  in: 'TRANSFER_IN_OTHER_TRANSFER_IN',
  out: 'TRANSFER_OUT_OTHER_TRANSFER_OUT',
};
const OTHER_INCOME: Code = { v1: 'INCOME_OTHER_INCOME', v2: 'INCOME_OTHER' };
const ADVANCE = 'TRANSFER_IN_CASH_ADVANCES_AND_LOANS';
const UTILITIES: Group = {
  fallback: 'RENT_AND_UTILITIES_OTHER_UTILITIES',
  subgroups: {
    energy: 'RENT_AND_UTILITIES_GAS_AND_ELECTRICITY',
    water: 'RENT_AND_UTILITIES_WATER',
    waste: 'RENT_AND_UTILITIES_SEWAGE_AND_WASTE_MANAGEMENT',
    internet_and_phone: 'RENT_AND_UTILITIES_INTERNET_AND_CABLE',
    streaming: 'ENTERTAINMENT_TV_AND_MOVIES',
    software: 'GENERAL_SERVICES_OTHER_GENERAL_SERVICES',
  },
};

export const PRIMARIES = [
  'INCOME',
  'TRANSFER_IN',
  'TRANSFER_OUT',
  'LOAN_PAYMENTS',
  'LOAN_DISBURSEMENTS',
  'BANK_FEES',
  'ENTERTAINMENT',
  'FOOD_AND_DRINK',
  'GENERAL_MERCHANDISE',
  'GENERAL_SERVICES',
  'HOME_IMPROVEMENT',
  'MEDICAL',
  'PERSONAL_CARE',
  'GOVERNMENT_AND_NON_PROFIT',
  'TRANSPORTATION',
  'TRAVEL',
  'RENT_AND_UTILITIES',
  'OTHER',
] as const;

export const FALLBACK: Code = { v1: 'GENERAL_SERVICES_OTHER_GENERAL_SERVICES', v2: 'OTHER_OTHER' };

/** Our groups and subgroups → codes. Source: plaid-compat 3.6. */
export const CATEGORY_MAP: Readonly<Record<string, Group>> = {
  income: {
    fallback: OTHER_INCOME,
    subgroups: {
      wages: { v1: 'INCOME_WAGES', v2: 'INCOME_SALARY' },
      interest: 'INCOME_INTEREST_EARNED',
      dividends: 'INCOME_DIVIDENDS',
      pension: 'INCOME_RETIREMENT_PENSION',
      tax_refund: 'INCOME_TAX_REFUND',
      rent_received: { v1: 'INCOME_OTHER_INCOME', v2: 'INCOME_RENTAL' },
      child_support: { v1: 'INCOME_OTHER_INCOME', v2: 'INCOME_CHILD_SUPPORT' },
      cash: 'TRANSFER_IN_DEPOSIT',
    },
  },
  transfers: {
    fallback: OTHER_TRANSFER,
    subgroups: {
      account_transfer: both('ACCOUNT_TRANSFER'),
      deposit: { in: 'TRANSFER_IN_DEPOSIT', out: 'TRANSFER_OUT_OTHER_TRANSFER_OUT' },
      atm_withdrawal: { in: 'TRANSFER_IN_OTHER_TRANSFER_IN', out: 'TRANSFER_OUT_WITHDRAWAL' },
    },
  },
  pensions_savings_and_investments: {
    fallback: both('INVESTMENT_AND_RETIREMENT_FUNDS'),
    subgroups: { savings: both('SAVINGS') },
  },
  borrowing_and_loans: {
    fallback: {
      in: { v1: ADVANCE, v2: 'LOAN_DISBURSEMENTS_OTHER_DISBURSEMENT' },
      out: 'LOAN_PAYMENTS_OTHER_PAYMENT',
    },
    subgroups: {
      credit_card_payment: 'LOAN_PAYMENTS_CREDIT_CARD_PAYMENT',
      car_payment: {
        in: { v1: ADVANCE, v2: 'LOAN_DISBURSEMENTS_OTHER_DISBURSEMENT' },
        out: 'LOAN_PAYMENTS_CAR_PAYMENT',
      },
      student_loan: {
        in: { v1: ADVANCE, v2: 'LOAN_DISBURSEMENTS_STUDENT' },
        out: 'LOAN_PAYMENTS_STUDENT_LOAN_PAYMENT',
      },
      personal_loan: {
        in: { v1: ADVANCE, v2: 'LOAN_DISBURSEMENTS_PERSONAL' },
        out: 'LOAN_PAYMENTS_PERSONAL_LOAN_PAYMENT',
      },
      cash_advance: {
        in: { v1: ADVANCE, v2: 'LOAN_DISBURSEMENTS_CASH_ADVANCES' },
        out: 'LOAN_PAYMENTS_OTHER_PAYMENT',
      },
    },
  },
  mortgage_and_rent: {
    fallback: 'RENT_AND_UTILITIES_RENT',
    subgroups: { mortgage: 'LOAN_PAYMENTS_MORTGAGE_PAYMENT' },
  },
  banking: {
    fallback: 'BANK_FEES_OTHER_BANK_FEES',
    subgroups: {
      atm_fee: 'BANK_FEES_ATM_FEES',
      overdraft_fee: 'BANK_FEES_OVERDRAFT_FEES',
      returned_payment_fee: 'BANK_FEES_INSUFFICIENT_FUNDS',
      interest_charged: 'BANK_FEES_INTEREST_CHARGE',
      currency_exchange: 'BANK_FEES_FOREIGN_TRANSACTION_FEES',
      cheque: OTHER_TRANSFER,
    },
  },
  food_and_drink: {
    fallback: 'FOOD_AND_DRINK_OTHER_FOOD_AND_DRINK',
    subgroups: {
      groceries: 'FOOD_AND_DRINK_GROCERIES',
      restaurants: 'FOOD_AND_DRINK_RESTAURANT',
      bars: 'FOOD_AND_DRINK_RESTAURANT',
      fast_food: 'FOOD_AND_DRINK_FAST_FOOD',
      coffee_shops: 'FOOD_AND_DRINK_COFFEE',
      convenience_stores: 'GENERAL_MERCHANDISE_CONVENIENCE_STORES',
    },
  },
  shopping: {
    fallback: 'GENERAL_MERCHANDISE_OTHER_GENERAL_MERCHANDISE',
    subgroups: {
      clothing: 'GENERAL_MERCHANDISE_CLOTHING_AND_ACCESSORIES',
      electronics: 'GENERAL_MERCHANDISE_ELECTRONICS',
      online_marketplace: 'GENERAL_MERCHANDISE_ONLINE_MARKETPLACES',
      department_stores: 'GENERAL_MERCHANDISE_DEPARTMENT_STORES',
      gifts: 'GENERAL_MERCHANDISE_GIFTS_AND_NOVELTIES',
      tobacco: 'GENERAL_MERCHANDISE_TOBACCO_AND_VAPE',
    },
  },
  home: {
    fallback: 'HOME_IMPROVEMENT_OTHER_HOME_IMPROVEMENT',
    subgroups: {
      furniture: 'HOME_IMPROVEMENT_FURNITURE',
      maintenance: 'HOME_IMPROVEMENT_REPAIR_AND_MAINTENANCE',
      laundry: 'PERSONAL_CARE_LAUNDRY_AND_DRY_CLEANING',
      pets: 'GENERAL_MERCHANDISE_PET_SUPPLIES',
    },
  },
  utilities: UTILITIES,
  media_and_telecoms: UTILITIES,
  transport: {
    fallback: 'TRANSPORTATION_OTHER_TRANSPORTATION',
    subgroups: {
      fuel: 'TRANSPORTATION_GAS',
      public_transport: 'TRANSPORTATION_PUBLIC_TRANSIT',
      taxi: 'TRANSPORTATION_TAXIS_AND_RIDE_SHARES',
      parking_and_tolls: 'TRANSPORTATION_PARKING',
      vehicle_rental: 'TRAVEL_RENTAL_CARS',
      vehicle_upkeep: 'GENERAL_SERVICES_AUTOMOTIVE',
    },
  },
  travel: {
    fallback: 'TRAVEL_OTHER_TRAVEL',
    subgroups: { flights: 'TRAVEL_FLIGHTS', lodging: 'TRAVEL_LODGING' },
  },
  entertainment: {
    fallback: 'ENTERTAINMENT_OTHER_ENTERTAINMENT',
    subgroups: {
      cinema: 'ENTERTAINMENT_TV_AND_MOVIES',
      games: 'ENTERTAINMENT_VIDEO_GAMES',
      events: 'ENTERTAINMENT_SPORTING_EVENTS_AMUSEMENT_PARKS_AND_MUSEUMS',
      sports: 'ENTERTAINMENT_SPORTING_EVENTS_AMUSEMENT_PARKS_AND_MUSEUMS',
      attractions: 'ENTERTAINMENT_SPORTING_EVENTS_AMUSEMENT_PARKS_AND_MUSEUMS',
      books: 'GENERAL_MERCHANDISE_BOOKSTORES_AND_NEWSSTANDS',
    },
  },
  gambling_and_lotteries: { fallback: 'ENTERTAINMENT_CASINOS_AND_GAMBLING' },
  health_and_personal_care: {
    fallback: 'PERSONAL_CARE_OTHER_PERSONAL_CARE',
    subgroups: {
      medical: 'MEDICAL_PRIMARY_CARE',
      dental: 'MEDICAL_DENTAL_CARE',
      optical: 'MEDICAL_EYE_CARE',
      pharmacy: 'MEDICAL_PHARMACIES_AND_SUPPLEMENTS',
      fitness: 'PERSONAL_CARE_GYMS_AND_FITNESS_CENTERS',
      beauty: 'PERSONAL_CARE_HAIR_AND_BEAUTY',
    },
  },
  taxes: { fallback: { in: 'INCOME_TAX_REFUND', out: 'GOVERNMENT_AND_NON_PROFIT_TAX_PAYMENT' } },
  charity: { fallback: 'GOVERNMENT_AND_NON_PROFIT_DONATIONS' },
  insurance: { fallback: 'GENERAL_SERVICES_INSURANCE' },
  education: { fallback: 'GENERAL_SERVICES_EDUCATION' },
  dependent_costs: {
    fallback: 'GENERAL_SERVICES_OTHER_GENERAL_SERVICES',
    subgroups: { childcare: 'GENERAL_SERVICES_CHILDCARE' },
  },
  expenses: {
    fallback: 'GENERAL_SERVICES_OTHER_GENERAL_SERVICES',
    subgroups: {
      legal_and_financial: 'GENERAL_SERVICES_CONSULTING_AND_LEGAL',
      postage_and_office: 'GENERAL_SERVICES_POSTAGE_AND_SHIPPING',
    },
  },
  general: { fallback: FALLBACK },
};

/**
 * The code of a native category; null = unclassified. The code of the subgroup, else the default of the group, else the
 * fallback. Source: plaid-compat 3.6.
 */
export function codeOf(
  category: string | null,
  type: 'credit' | 'debit',
  version: Version,
): string {
  const [name = '', subgroup = ''] = (category ?? '').split('.');
  const group = Object.hasOwn(CATEGORY_MAP, name) ? CATEGORY_MAP[name] : undefined;
  const own =
    group?.subgroups !== undefined && Object.hasOwn(group.subgroups, subgroup)
      ? group.subgroups[subgroup]
      : undefined;
  const code: Code = byDirection(own ?? group?.fallback ?? FALLBACK, type);
  return typeof code === 'string' ? code : code[version];
}
