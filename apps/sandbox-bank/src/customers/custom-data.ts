import { Decimal } from 'decimal.js';
import { z } from 'zod';
import { storableText as text } from '../storage/storable-text.js';
import { productCodeOf } from '../institutions/product-codes.js';

/** Source of all limits: link-lifecycle 13.4. */
const MAX_ACCOUNTS = 20;
const MAX_TRANSACTIONS = 5_000;

const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}/)
  .transform((value) => value.slice(0, 10))
  .refine(isRealDay);
const localTime = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\d/)
  .transform(
    (value) => `${value.slice(0, 19)}.${(/\.(\d{1,3})/.exec(value)?.[1] ?? '').padEnd(3, '0')}`,
  );
/** Amounts arrive as numbers and are kept as exact decimals. */
const money = z
  .number()
  .min(-1e12)
  .max(1e12)
  .transform((value) => new Decimal(value).toDecimalPlaces(8).toFixed());
/** A missing or null value is replaced by the other one. */
const or = <Form extends z.ZodType, Other>(form: Form, other: Other) =>
  form.nullish().transform((value) => value ?? other);
const moneyOrNull = or(money, null);
const textOrNull = (max: number) => or(text(max), null);
const flag = or(z.boolean(), false);

const Balances = z.object({
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .default('USD'),
  available: moneyOrNull,
  current: moneyOrNull,
  limit: moneyOrNull,
});

const Account = z.object({
  account_type: text(40).refine((type) => productCodeOf(type) !== null),
  name: text(200),
  account_number: z
    .string()
    .regex(/^[\w -]{1,40}$/)
    .regex(/\w/),
  routing_number: or(z.string().refine(isRoutingNumber), null),
  balances: or(Balances, Balances.parse({})),
});

const Address = z.object({
  street: textOrNull(200),
  city: textOrNull(100),
  region: textOrNull(100),
  postal_code: textOrNull(20),
  country: textOrNull(60),
  primary: flag,
});
const Phone = z.object({
  number: text(40),
  primary: flag,
  type: or(z.enum(['home', 'work', 'mobile', 'other']), 'other' as const),
});
const Email = z.object({
  address: text(254),
  primary: flag,
});
const listOf = <T extends z.ZodType>(part: T) => or(z.array(part).max(20), []);

const Owner = z.object({
  names: listOf(text(200)),
  addresses: listOf(Address),
  phone_numbers: listOf(Phone),
  emails: listOf(Email),
});

/** The details of a row, in the form of native-api 4.9. */
const Counterparty = z.object({
  name: textOrNull(200),
  kind: or(z.enum(['person', 'business']), null),
  numbers: or(
    z.object({
      iban: textOrNull(64),
      bic: textOrNull(64),
      account_number: textOrNull(64),
      bank_code: textOrNull(64),
    }),
    null,
  ),
});
const Merchant = z.object({
  name: textOrNull(200),
  mcc: or(z.string().regex(/^\d{4}$/), null),
});
const References = z.object({
  end_to_end: textOrNull(200),
  mandate: textOrNull(200),
  creditor: textOrNull(200),
  check_number: textOrNull(200),
});
const Original = z.object({
  amount: money.refine((amount) => !amount.startsWith('-')),
  currency: z.string().regex(/^[A-Z]{3}$/),
  rate: moneyOrNull,
});

const Transaction = z.object({
  account: z.number().int().min(0),
  date: day,
  amount: money.refine((amount) => !amount.startsWith('-')),
  type: z.enum(['debit', 'credit']),
  description: textOrNull(500),
  raw_description: textOrNull(500),
  pending: flag,
  category: textOrNull(100),
  datetime: or(localTime, null),
  counterparty: or(Counterparty, null),
  merchant: or(Merchant, null),
  remittance: textOrNull(500),
  references: or(References, null),
  original: or(Original, null),
  transacted_at: or(z.union([localTime, day.transform((date) => `${date}T00:00:00.000`)]), null),
  bank_transaction_code: textOrNull(35),
});

/** The form of `custom_sandbox_data`. */
export const CustomData = z
  .object({
    accounts: z.array(Account).min(1).max(MAX_ACCOUNTS),
    owners: or(z.array(Owner).max(20), null),
    transactions: or(z.array(Transaction).max(MAX_TRANSACTIONS), []),
  })
  .refine(
    ({ accounts, transactions }) => transactions.every(({ account }) => account < accounts.length),
    { path: ['transactions'] },
  );

/** The data of `user_custom` at the bank. */
export type CustomData = z.output<typeof CustomData>;
export type Owner = z.infer<typeof Owner>;
export type CustomTransaction = z.output<typeof Transaction>;

function isRealDay(value: string): boolean {
  const moment = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(value);
}

const ABA_WEIGHTS = [3, 7, 1];

/** The check digit of the American Bankers Association. */
function isRoutingNumber(value: string): boolean {
  if (!/^\d{9}$/.test(value)) return false;
  const sum = [...value].reduce(
    (total, digit, index) => total + Number(digit) * (ABA_WEIGHTS[index % 3] ?? 0),
    0,
  );
  return sum % 10 === 0;
}
