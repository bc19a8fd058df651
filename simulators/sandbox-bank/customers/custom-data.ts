import { z } from 'zod';
import { CustomHolding, CustomInvestmentTransaction, CustomLiability } from './custom-portfolio.js';
import { DETAIL_FORMS } from '../details/given-details.js';
import { day, localTime, money, storableText as text } from '../storage/value-forms.js';
import { productCodeOf } from '../institutions/product-codes.js';

/** Source of all limits: link-lifecycle 13.4. */
const MAX_ACCOUNTS = 20;
const MAX_TRANSACTIONS = 5_000;
const MAX_HOLDINGS = 1_000;

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
  ...DETAIL_FORMS,
});

/** Lists whose rows belong to an account. */
const PARTS = ['transactions', 'holdings', 'investment_transactions', 'liabilities'] as const;

/** The form of `custom_sandbox_data`. */
export const CustomData = z
  .object({
    accounts: z.array(Account).min(1).max(MAX_ACCOUNTS),
    owners: or(z.array(Owner).max(20), null),
    transactions: or(z.array(Transaction).max(MAX_TRANSACTIONS), []),
    holdings: or(z.array(CustomHolding).max(MAX_HOLDINGS), []),
    investment_transactions: or(z.array(CustomInvestmentTransaction).max(MAX_TRANSACTIONS), []),
    liabilities: or(z.array(CustomLiability).max(MAX_ACCOUNTS), []),
  })
  .superRefine(({ accounts, ...parts }, context) => {
    for (const part of PARTS)
      if (parts[part].some(({ account }) => account >= accounts.length))
        context.addIssue({ code: 'custom', path: [part] });
  });

/** The data of `user_custom` at the bank. */
export type CustomData = z.output<typeof CustomData>;
export type Owner = z.infer<typeof Owner>;
export type CustomTransaction = z.output<typeof Transaction>;

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
