import { ConfigurationError } from './errors.js';
import { MONEY } from './generated/money.js';
import type { ParseJson } from './requests/read-response.js';

/** The form of amounts and balances in results. */
export type MoneyForm = 'number' | 'text';

type MoneyName = (typeof MONEY)[number];

/** A result with amounts and balances in that form. */
export type WithMoney<T, Form extends MoneyForm> = Form extends 'text' ? ExactMoney<T> : T;

/** A result whose amounts and balances are texts. */
export type ExactMoney<T> = T extends readonly (infer Item)[]
  ? ExactMoney<Item>[]
  : T extends object
    ? { [Name in keyof T]: Name extends MoneyName ? TextOf<T[Name]> : ExactMoney<T[Name]> }
    : T;

type TextOf<T> = T extends number ? string : ExactMoney<T>;

/** A reviver of ES2026, which sees the text of a number. */
type Reviver = (name: string, value: unknown, context?: { source?: string }) => unknown;

const NAMES: ReadonlySet<string> = new Set(MONEY);

const keepText: Reviver = (name, value, context) =>
  typeof value === 'number' && NAMES.has(name) ? context?.source : value;

/** @throws ConfigurationError for another form, and where the runtime hides the text of numbers */
export function parserOf(form: MoneyForm = 'number'): ParseJson {
  if (form === 'number') return JSON.parse as ParseJson;
  if (form !== 'text') throw new ConfigurationError('money must be number or text.');
  const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;
  const [seen] = parse('[1.50]', (_, value, context) => context?.source ?? value) as unknown[];
  if (seen !== '1.50')
    throw new ConfigurationError('money: text needs a runtime whose JSON.parse shows sources.');
  return (text) => parse(text, keepText);
}
