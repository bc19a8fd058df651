// cspell:ignore pmdd rddt
import type { AccountTemplate } from '../institutions/account-templates.js';
import type { BankTransaction } from './bank-transaction.js';
import { dataSeedOf, type Customer } from '../customers/customer.js';
import { isoDateOf } from './day-number.js';
import { drawsFrom, type Draws } from '../accounts/draws.js';
import { NO_DETAILS, type RowDetails } from '../details/row-details.js';
import { EMPLOYERS, MERCHANTS, TOWNS, type Merchant } from './merchants.js';

/** The contents of a row, and the customer's account it belongs to. */
export type RowContent = Pick<
  BankTransaction,
  'direction' | 'amount' | 'local_datetime' | 'description' | 'statement_text' | 'category'
> &
  RowDetails & { account: AccountTemplate };

/** Null where no account receives wages. */
export function wages(customer: Customer, dayNumber: number): RowContent | null {
  const account = customer.institution.accounts.find((template) => template.receivesWages);
  if (account === undefined) return null;
  // one employer and one wage per customer: derived from the customer, not from the day
  const draws = drawsFrom(`${dataSeedOf(customer)}/employment`);
  const employer = draws.pick(EMPLOYERS);
  return {
    account,
    direction: 'IN',
    amount: decimalOf(draws.integer(150_000, 320_000)),
    local_datetime: null,
    description: `${employer} payroll`,
    statement_text: `ACH CREDIT ${employer.toUpperCase()} PAYROLL ${monthDayOf(dayNumber)}`,
    category: 'income.wages',
    ...NO_DETAILS,
    counterparty_name: employer,
    counterparty_kind: 'BUSINESS',
    ...accountAt(employer),
    bank_transaction_code: 'PMNT-RCDT-SALA',
    remittance_text: 'Payroll',
    end_to_end_id: `PAYROLL-${isoDateOf(dayNumber)}`,
  };
}

/** At one price for each customer. Null where no account receives the wages that pay it. */
export function monthlyBill(
  customer: Customer,
  bill: Merchant,
  dayNumber: number,
): RowContent | null {
  const account = customer.institution.accounts.find((template) => template.receivesWages);
  if (account === undefined) return null;
  const town = drawsFrom(`${dataSeedOf(customer)}/home`).pick(TOWNS);
  const draws = drawsFrom(`${dataSeedOf(customer)}/bill/${bill.name}`);
  return {
    account,
    direction: 'OUT',
    amount: decimalOf(draws.integer(...bill.cents)),
    local_datetime: null,
    description: bill.name,
    statement_text: statementText(bill, town, dayNumber, draws),
    category: bill.category,
    ...purchaseDetails(bill, null),
  };
}

/** Null where no account is for spending. */
export function purchase(customer: Customer, dayNumber: number, draws: Draws): RowContent | null {
  const [first, ...others] = customer.institution.accounts.filter((template) => template.spending);
  if (first === undefined) return null;
  const town = drawsFrom(`${dataSeedOf(customer)}/home`).pick(TOWNS);
  const merchant = draws.pick(MERCHANTS);
  const content = {
    account: draws.pick([first, ...others]),
    direction: 'OUT',
    amount: decimalOf(draws.integer(...merchant.cents)),
    local_datetime:
      merchant.channel === 'card' ? `${isoDateOf(dayNumber)}T${timeAt(merchant, draws)}` : null,
    description: merchant.name,
    statement_text: statementText(merchant, town, dayNumber, draws),
    category: merchant.category,
  } as const;
  return { ...content, ...purchaseDetails(merchant, content.local_datetime) };
}

function purchaseDetails(merchant: Merchant, time: string | null): RowDetails {
  const known = {
    ...NO_DETAILS,
    counterparty_name: merchant.name,
    counterparty_kind: 'BUSINESS',
  } as const;
  if (merchant.channel === 'direct_debit')
    return {
      ...known,
      ...accountAt(merchant.name),
      bank_transaction_code: 'PMNT-RDDT-PMDD',
      mandate_id: `M-${merchant.name.replaceAll(' ', '-').toUpperCase()}`,
    };
  return {
    ...known,
    merchant_name: merchant.name,
    merchant_category_code: merchant.mcc,
    bank_transaction_code: 'PMNT-CCRD-POSD',
    transacted_at: time,
  };
}

/** For a row of a day that is not over: its time may be later than now. */
export const WITHOUT_TIMES = { local_datetime: null, transacted_at: null } as const;

/** The account of a company, the same for every customer. */
function accountAt(company: string) {
  const draws = drawsFrom(`company/${company}`);
  return {
    counterparty_account_number: `2000${draws.integer(10_000_000, 99_999_999)}`,
    counterparty_bank_code: '999000014',
  };
}

/** Adds whole dollars to an amount with cents. */
export function plusDollars(amount: string, dollars: number): string {
  const [whole = '0', cents = '00'] = amount.split('.');
  return `${Number(whole) + dollars}.${cents}`;
}

function statementText(merchant: Merchant, town: string, dayNumber: number, draws: Draws): string {
  const name = merchant.name.toUpperCase();
  switch (merchant.channel) {
    case 'card':
      return `POS ${monthDayOf(dayNumber)} ${name} ${town.toUpperCase()}`;
    case 'online':
      return `WEB PMT ${name} ${draws.integer(100_000, 999_999)}`;
    case 'direct_debit':
      return `ACH DEBIT ${name} ${draws.integer(10_000_000, 99_999_999)}`;
  }
}

function timeAt(merchant: Merchant, draws: Draws): string {
  const [opens, closes] = merchant.hours;
  return `${twoDigits(draws.integer(opens, closes))}:${twoDigits(draws.integer(0, 59))}:00.000`;
}

function monthDayOf(dayNumber: number): string {
  return isoDateOf(dayNumber).slice(5).replace('-', '');
}

function decimalOf(cents: number): string {
  return `${Math.floor(cents / 100)}.${twoDigits(cents % 100)}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
