/** `group` → subgroups, besides `other`, which every group has. Source: native-api 4.11. */
export const TRANSACTION_CATEGORIES: Readonly<Record<string, readonly string[]>> = {
  income: [
    'wages',
    'interest',
    'dividends',
    'benefits',
    'pension',
    'rent_received',
    'child_support',
    'tax_refund',
    'cash',
  ],
  transfers: ['account_transfer', 'atm_withdrawal', 'deposit', 'incoming', 'outgoing'],
  banking: [
    'account_fee',
    'atm_fee',
    'overdraft_fee',
    'returned_payment_fee',
    'interest_charged',
    'currency_exchange',
    'cheque',
    'reversal',
  ],
  borrowing_and_loans: [
    'credit_card_payment',
    'car_payment',
    'student_loan',
    'personal_loan',
    'loan_received',
    'cash_advance',
    'pay_later',
  ],
  mortgage_and_rent: ['mortgage', 'rent'],
  pensions_savings_and_investments: ['savings', 'pension', 'investment', 'crypto'],
  food_and_drink: [
    'groceries',
    'restaurants',
    'fast_food',
    'coffee_shops',
    'bars',
    'convenience_stores',
  ],
  shopping: [
    'clothing',
    'electronics',
    'online_marketplace',
    'department_stores',
    'hobbies',
    'gifts',
    'tobacco',
  ],
  home: ['furniture', 'maintenance', 'garden', 'household_goods', 'laundry', 'pets'],
  utilities: ['energy', 'water', 'waste'],
  media_and_telecoms: ['internet_and_phone', 'streaming', 'software'],
  transport: [
    'fuel',
    'public_transport',
    'taxi',
    'parking_and_tolls',
    'vehicle_rental',
    'vehicle_upkeep',
  ],
  travel: ['flights', 'lodging', 'holidays'],
  entertainment: ['books', 'cinema', 'games', 'events', 'sports', 'attractions'],
  gambling_and_lotteries: ['betting', 'lottery'],
  health_and_personal_care: ['medical', 'dental', 'optical', 'pharmacy', 'fitness', 'beauty'],
  insurance: ['health', 'home', 'vehicle', 'travel', 'pet', 'business'],
  education: ['tuition', 'courses', 'driving_lessons'],
  dependent_costs: ['childcare', 'child_support_paid', 'children'],
  charity: ['donation'],
  taxes: ['income_tax', 'property_tax'],
  expenses: ['business', 'legal_and_financial', 'postage_and_office', 'memberships'],
  general: [],
};

/** Whether the text is a listed `group.subgroup`. Source: native-api 4.11. */
export function isTransactionCategory(value: string): boolean {
  const [group = '', subgroup = '', ...rest] = value.split('.');
  const subgroups = Object.hasOwn(TRANSACTION_CATEGORIES, group)
    ? TRANSACTION_CATEGORIES[group]
    : undefined;
  return (
    rest.length === 0 &&
    subgroups !== undefined &&
    (subgroup === 'other' || subgroups.includes(subgroup))
  );
}

/** Every category, as `group.subgroup`. */
export const ALL_CATEGORIES: readonly string[] =
  Object.keys(TRANSACTION_CATEGORIES).flatMap(categoriesOf);

/**
 * The categories a filter selects: a group selects all its subgroups, a category itself. Source:
 * native-api 3.7.
 * @returns null if the filter is neither
 */
export function categoriesNamedBy(filter: string): readonly string[] | null {
  if (Object.hasOwn(TRANSACTION_CATEGORIES, filter)) return categoriesOf(filter);
  return isTransactionCategory(filter) ? [filter] : null;
}

function categoriesOf(group: string): string[] {
  const subgroups = TRANSACTION_CATEGORIES[group] ?? [];
  return [...subgroups, 'other'].map((subgroup) => `${group}.${subgroup}`);
}
