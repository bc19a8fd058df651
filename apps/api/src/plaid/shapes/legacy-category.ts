import { byDirection, type ByDirection } from './by-direction.js';

/** Identifier and path of a category of Plaid's former taxonomy. */
type LegacyCategory = readonly [id: string, ...path: string[]];

interface Group {
  /** For subgroups without a category of their own. */
  fallback: ByDirection<LegacyCategory>;
  subgroups?: Readonly<Record<string, ByDirection<LegacyCategory>>>;
}

const SERVICE: LegacyCategory = ['18000000', 'Service'];
const CREDIT: LegacyCategory = ['21005000', 'Transfer', 'Credit'];
const DEBIT: LegacyCategory = ['21006000', 'Transfer', 'Debit'];
const DEPOSIT: LegacyCategory = ['21007000', 'Transfer', 'Deposit'];
const INTERNAL: LegacyCategory = ['21001000', 'Transfer', 'Internal Account Transfer'];
const BENEFITS: LegacyCategory = ['21009001', 'Transfer', 'Payroll', 'Benefits'];
const LOAN: LegacyCategory = ['16003000', 'Payment', 'Loan'];
const ARTS: LegacyCategory = ['17001000', 'Recreation', 'Arts and Entertainment'];
const CASINOS: LegacyCategory = [
  '17001014',
  'Recreation',
  'Arts and Entertainment',
  'Casinos and Gaming',
];
const CHARITIES: LegacyCategory = [
  '12015003',
  'Community',
  'Organizations and Associations',
  'Charities and Non-Profits',
];
const PERSONAL_CARE: LegacyCategory = ['18045000', 'Service', 'Personal Care'];
const TELECOMMUNICATION: LegacyCategory = ['18063000', 'Service', 'Telecommunication Services'];
const TRANSFER = { in: CREDIT, out: DEBIT };

/** Our groups and subgroups → categories of the former taxonomy. Source: plaid-compat 3.6. */
export const LEGACY_CATEGORIES: Readonly<Record<string, Group>> = {
  income: {
    fallback: CREDIT,
    subgroups: {
      wages: ['21009000', 'Transfer', 'Payroll'],
      benefits: BENEFITS,
      pension: BENEFITS,
      interest: ['15001000', 'Interest', 'Interest Earned'],
      tax_refund: ['20001000', 'Tax', 'Refund'],
      cash: DEPOSIT,
    },
  },
  transfers: {
    fallback: TRANSFER,
    subgroups: {
      account_transfer: INTERNAL,
      deposit: { in: DEPOSIT, out: DEBIT },
      atm_withdrawal: { in: CREDIT, out: ['21012002', 'Transfer', 'Withdrawal', 'ATM'] },
    },
  },
  pensions_savings_and_investments: { fallback: TRANSFER, subgroups: { savings: INTERNAL } },
  borrowing_and_loans: {
    fallback: { in: CREDIT, out: LOAN },
    subgroups: {
      credit_card_payment: ['16001000', 'Payment', 'Credit Card'],
      cash_advance: { in: ['11000000', 'Cash Advance'], out: LOAN },
    },
  },
  mortgage_and_rent: {
    fallback: ['16002000', 'Payment', 'Rent'],
    subgroups: { mortgage: LOAN },
  },
  banking: {
    fallback: ['10000000', 'Bank Fees'],
    subgroups: {
      atm_fee: ['10002000', 'Bank Fees', 'ATM'],
      overdraft_fee: ['10001000', 'Bank Fees', 'Overdraft'],
      returned_payment_fee: ['10007000', 'Bank Fees', 'Insufficient Funds'],
      interest_charged: ['15002000', 'Interest', 'Interest Charged'],
      currency_exchange: ['10005000', 'Bank Fees', 'Foreign Transaction'],
      cheque: ['21004000', 'Transfer', 'Check'],
    },
  },
  food_and_drink: {
    fallback: ['13000000', 'Food and Drink'],
    subgroups: {
      groceries: ['19047000', 'Shops', 'Supermarkets and Groceries'],
      convenience_stores: ['19025000', 'Shops', 'Food and Beverage Store'],
      restaurants: ['13005000', 'Food and Drink', 'Restaurants'],
      bars: ['13001000', 'Food and Drink', 'Bar'],
      fast_food: ['13005032', 'Food and Drink', 'Restaurants', 'Fast Food'],
      coffee_shops: ['13005043', 'Food and Drink', 'Restaurants', 'Coffee Shop'],
    },
  },
  shopping: {
    fallback: ['19000000', 'Shops'],
    subgroups: {
      clothing: ['19012000', 'Shops', 'Clothing and Accessories'],
      electronics: ['19013000', 'Shops', 'Computers and Electronics'],
      online_marketplace: ['19019000', 'Shops', 'Digital Purchase'],
      department_stores: ['19018000', 'Shops', 'Department Stores'],
      hobbies: ['19031000', 'Shops', 'Hobby and Collectibles'],
      tobacco: ['19048000', 'Shops', 'Tobacco'],
    },
  },
  home: {
    fallback: ['18025000', 'Service', 'Household'],
    subgroups: {
      maintenance: ['18024000', 'Service', 'Home Improvement'],
      garden: ['19054000', 'Shops', 'Lawn and Garden'],
      pets: ['19042000', 'Shops', 'Pets'],
    },
  },
  utilities: {
    fallback: ['18068000', 'Service', 'Utilities'],
    subgroups: {
      water: ['18068001', 'Service', 'Utilities', 'Water'],
      waste: ['18068002', 'Service', 'Utilities', 'Sanitary and Waste Management'],
    },
  },
  media_and_telecoms: {
    fallback: TELECOMMUNICATION,
    subgroups: {
      streaming: ['18018000', 'Service', 'Entertainment'],
      software: ['19019000', 'Shops', 'Digital Purchase'],
    },
  },
  transport: {
    fallback: ['22000000', 'Travel'],
    subgroups: {
      fuel: ['22009000', 'Travel', 'Gas Stations'],
      public_transport: ['22014000', 'Travel', 'Public Transportation Services'],
      taxi: ['22016000', 'Travel', 'Taxi'],
      parking_and_tolls: ['22013000', 'Travel', 'Parking'],
      vehicle_rental: ['22005000', 'Travel', 'Car and Truck Rentals'],
      vehicle_upkeep: ['18006000', 'Service', 'Automotive'],
    },
  },
  travel: {
    fallback: ['22000000', 'Travel'],
    subgroups: {
      flights: ['22001000', 'Travel', 'Airlines and Aviation Services'],
      lodging: ['22012000', 'Travel', 'Lodging'],
    },
  },
  entertainment: {
    fallback: ARTS,
    subgroups: {
      cinema: ['17001009', 'Recreation', 'Arts and Entertainment', 'Movie Theatres'],
      games: ['19013001', 'Shops', 'Computers and Electronics', 'Video Games'],
      sports: ['17000000', 'Recreation'],
      books: ['19009000', 'Shops', 'Bookstores'],
    },
  },
  gambling_and_lotteries: { fallback: CASINOS },
  health_and_personal_care: {
    fallback: PERSONAL_CARE,
    subgroups: {
      medical: ['14001000', 'Healthcare', 'Healthcare Services'],
      dental: ['14001012', 'Healthcare', 'Healthcare Services', 'Dentists'],
      optical: ['19029000', 'Shops', 'Glasses and Optometrist'],
      pharmacy: ['19043000', 'Shops', 'Pharmacies'],
      fitness: ['17018000', 'Recreation', 'Gyms and Fitness Centers'],
    },
  },
  taxes: {
    fallback: { in: ['20001000', 'Tax', 'Refund'], out: ['20002000', 'Tax', 'Payment'] },
  },
  charity: { fallback: CHARITIES },
  insurance: { fallback: ['18030000', 'Service', 'Insurance'] },
  education: { fallback: ['12008000', 'Community', 'Education'] },
  dependent_costs: {
    fallback: SERVICE,
    subgroups: { childcare: ['12005000', 'Community', 'Day Care and Preschools'] },
  },
  expenses: {
    fallback: ['18008000', 'Service', 'Business Services'],
    subgroups: {
      legal_and_financial: ['18033000', 'Service', 'Legal'],
      postage_and_office: ['18058000', 'Service', 'Shipping and Freight'],
    },
  },
  general: { fallback: SERVICE },
};

export interface LegacyCategoryFields {
  category: string[];
  category_id: string;
}

/**
 * The category in Plaid's former taxonomy. `category` is the native one, `group.subgroup`, or null. Clients read both
 * fields without a check, so an unclassified row has the fallback. Source: plaid-compat 3.6.
 */
export function legacyCategory(
  category: string | null,
  type: 'credit' | 'debit',
): LegacyCategoryFields {
  const [name = '', subgroup = ''] = (category ?? '').split('.');
  const group = Object.hasOwn(LEGACY_CATEGORIES, name) ? LEGACY_CATEGORIES[name] : undefined;
  const { subgroups = {}, fallback = SERVICE } = group ?? {};
  const found = Object.hasOwn(subgroups, subgroup) ? subgroups[subgroup] : undefined;
  const [id, ...path] = byDirection(found ?? fallback, type);
  return { category: path, category_id: id };
}
