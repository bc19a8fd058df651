import type { PhoneType } from '../../../../../../domain/accounts/account-owner.js';
import { PHONE_TYPES } from '../../../../../../domain/accounts/account-owner.js';
import type { SandboxData } from '../../../sandbox/custom-sandbox-data.schema.js';
import type { CustomUser } from './custom-user.schema.js';
import type {
  OverrideAccount,
  OverrideIdentity,
  OverrideLiability,
  OverrideTransaction,
} from './override-account.schema.js';
import { accountTypeOf } from './override-account-type.js';
import { toHolding, toMovement } from './to-sandbox-investments.js';

type Account = SandboxData['accounts'][number];
type Owner = NonNullable<SandboxData['owners']>[number];
type Transaction = NonNullable<SandboxData['transactions']>[number];
type Debt = NonNullable<SandboxData['liabilities']>[number];

/**
 * The accounts of Plaid's custom user as `custom_sandbox_data`; null = it states none, so they are
 * generated. Source: plaid-compat 9.
 * @param today a row that posts later is pending
 */
export function toSandboxData(
  { override_accounts: accounts }: CustomUser,
  today: string,
): SandboxData | null {
  if (accounts.length === 0) return null;
  const eachWithPlace = <Row>(rowsOf: (account: OverrideAccount, place: number) => Row[]) =>
    accounts.flatMap(rowsOf);
  // Plaid, too, gives the names of one account to all.
  const identity = accounts.find((account) => account.identity !== undefined)?.identity;
  return {
    accounts: accounts.map(toAccount),
    owners: identity === undefined ? undefined : [toOwner(identity)],
    transactions: eachWithPlace(({ transactions }, place) =>
      transactions.map((row) => toTransaction(row, { account: place, today })),
    ),
    holdings: eachWithPlace(({ holdings = [] }, place) =>
      holdings.map((holding) => toHolding(holding, place)),
    ),
    investment_transactions: eachWithPlace(
      ({ investment_transactions: trades = [], currency }, place) =>
        trades.map((trade) => toMovement(trade, { account: place, currency })),
    ),
    liabilities: eachWithPlace(({ liability }, place) =>
      liability === undefined ? [] : [toDebt(liability, place)],
    ),
  };
}

function toAccount(given: OverrideAccount, place: number): Account {
  const { type, subtype, meta, numbers } = given;
  return {
    account_type: accountTypeOf(type, subtype) ?? 'unknown',
    name: meta.name ?? `${subtype ?? type} ${place + 1}`,
    account_number:
      numbers.account ?? numbers.international_iban ?? numberWith(meta.mask ?? '', place),
    routing_number: numbers.ach_routing,
    balances: {
      currency: given.currency,
      current: given.starting_balance,
      available: given.force_available_balance,
      limit: meta.limit,
    },
  };
}

/** A number that ends in the mask; the bank shows the last four characters. */
function numberWith(mask: string, place: number): string {
  if (mask === '') return `111122223333${String(place * 1111).padStart(4, '0')}`;
  return mask.length === 4 ? `111122223333${mask}` : mask;
}

/** Plaid counts money that leaves the account as positive. */
function toTransaction(
  { date_posted: posted, date_transacted: transacted, amount, description }: OverrideTransaction,
  { account, today }: { account: number; today: string },
): Transaction {
  const pending = posted > today;
  return {
    account,
    date: pending ? transacted : posted,
    amount: Math.abs(amount),
    type: amount < 0 ? 'credit' : 'debit',
    description,
    raw_description: description,
    pending,
    transacted_at: transacted,
  };
}

function toOwner({ names, phone_numbers: phones, emails, addresses }: OverrideIdentity): Owner {
  return {
    names,
    phone_numbers: phones.map(({ data, primary, type }) => ({
      number: data,
      primary,
      type: PHONE_TYPES.includes(type as PhoneType) ? (type as PhoneType) : 'other',
    })),
    emails: emails.map(({ data, primary }) => ({ address: data, primary })),
    addresses: addresses.map(({ data, primary }) => ({ ...data, primary })),
  };
}

function toDebt(given: OverrideLiability, account: number): Debt {
  const debt = {
    account,
    minimum_payment: given.minimum_payment_amount,
    is_overdue: given.is_overdue,
  };
  if (given.type === 'credit')
    return { ...debt, last_payment: { amount: given.last_payment_amount }, rates: ratesOf(given) };
  return {
    ...debt,
    originated_on: given.origination_date,
    matures_on: given.expected_payoff_date,
    principal: { original: given.principal },
    interest_rate: given.nominal_apr === undefined ? undefined : { percentage: given.nominal_apr },
    payments_total: given.repayment_model?.repayment_months,
  };
}

function ratesOf(given: OverrideLiability): NonNullable<Debt['rates']> {
  const rates = [
    ['purchase', given.purchase_apr],
    ['cash', given.cash_apr],
    ['balance_transfer', given.balance_transfer_apr],
    ['special', given.special_apr],
  ] as const;
  return rates.flatMap(([kind, percentage]) =>
    percentage === undefined ? [] : [{ kind, percentage }],
  );
}
