import { LosslessNumber, isLosslessNumber, stringify } from 'lossless-json';

/** A JSON value; numbers are `LosslessNumber`, so that every digit can be sent. */
export type Json = unknown;

/** The replacement of the original value at a place. */
export type Untidy = { value: Json } | 'absent';

interface Truth {
  value: Json;
  /** The values of the same field in the other items of its list. */
  siblings: readonly Json[];
}

/** @returns undefined if the kind has no meaning for a value */
type Mutate = (truth: Truth) => Untidy | undefined;

const LONG = 20_000;
const DATE = /^\d{4}-\d{2}-\d{2}/;
const isDigits = (value: string): boolean => /^-?(0|[1-9]\d*)(\.\d+)?$/.test(value);
const isList = (value: Json): value is Json[] => Array.isArray(value);
export const isObject = (value: Json): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !isList(value) && !isLosslessNumber(value);

const number = (text: string): Untidy => ({ value: new LosslessNumber(text) });

/** Another value for texts, for numbers, and for all other values. */
function scalar(
  ofText: (value: string) => Json,
  ofNumber: (digits: string) => Json,
  other: Json,
): Mutate {
  return ({ value }) => {
    if (isObject(value) || isList(value)) return undefined;
    if (typeof value === 'string') return { value: ofText(value) };
    return { value: isLosslessNumber(value) ? ofNumber(value.value) : other };
  };
}

const textOnly =
  (change: (value: string) => string): Mutate =>
  ({ value }) =>
    typeof value === 'string' ? { value: change(value) } : undefined;

/** The day of a time stays a time. */
const dayOf = (day: string): Mutate =>
  textOnly((text) => (DATE.test(text) ? text.replace(DATE, day) : day));

const epochOf = (day: string): string => String(Date.parse(`${day}T00:00:00Z`) / 1_000);

/** Every kind of fault that one value of a response can have. */
export const MUTATIONS = {
  absent: () => 'absent',
  null: () => ({ value: null }),
  empty: ({ value }) => ({ value: isList(value) ? [] : isObject(value) ? {} : '' }),
  'wrong type': ({ value }) => ({
    value: isObject(value) || isList(value) ? 'unexpected' : { unexpected: ['value'] },
  }),
  'number as text': ({ value }) => (isLosslessNumber(value) ? { value: value.value } : undefined),
  'text as number': ({ value }) =>
    typeof value === 'string' ? number(isDigits(value) ? value : '7') : undefined,
  huge: scalar(
    () => '9'.repeat(40),
    () => new LosslessNumber('1e400'),
    new LosslessNumber('1e400'),
  ),
  negative: scalar(
    (text) => (isDigits(text) ? `-${text}` : '-1'),
    (digits) => new LosslessNumber(digits.startsWith('-') ? digits : `-${digits}`),
    new LosslessNumber('-1'),
  ),
  'signed zero': scalar(
    () => '-0.00',
    () => new LosslessNumber('-0'),
    new LosslessNumber('-0'),
  ),
  NUL: scalar(
    (text) => `${text.slice(0, 1)}\u0000${text.slice(1)}`,
    () => '\u0000',
    '\u0000',
  ),
  'half a surrogate pair': scalar(
    (text) => `${text}\ud83d`,
    () => '\ud83d',
    '\ud83d',
  ),
  'very long': scalar(
    (text) => (text || 'x').repeat(LONG).slice(0, LONG),
    () => '9'.repeat(LONG),
    'x'.repeat(LONG),
  ),
  'other currency': textOnly(() => 'JPY'),
  'impossible date': dayOf('2026-13-45'),
  'year 1': ({ value, siblings }) =>
    isLosslessNumber(value)
      ? number(epochOf('0001-01-01'))
      : dayOf('0001-01-01')({ value, siblings }),
  'year 9999': ({ value, siblings }) =>
    isLosslessNumber(value)
      ? number(epochOf('9999-12-31'))
      : dayOf('9999-12-31')({ value, siblings }),
  /** A list contains its items twice, and another field has the value of another item. */
  duplicate: ({ value, siblings }) => {
    if (isList(value)) return { value: [...value, ...value] };
    const [other] = siblings.filter((sibling) => stringify(sibling) !== stringify(value));
    return other === undefined ? undefined : { value: other };
  },
  reordered: ({ value }) => {
    if (isList(value)) return { value: value.toReversed() };
    return isObject(value)
      ? { value: Object.fromEntries(Object.entries(value).reverse()) }
      : undefined;
  },
} satisfies Record<string, Mutate>;

export type MutationName = keyof typeof MUTATIONS;
export const MUTATION_NAMES = Object.keys(MUTATIONS) as MutationName[];

/** @returns undefined if it changes nothing, or has no meaning for the value */
export function mutate(name: MutationName, truth: Truth): Untidy | undefined {
  const untidy: Untidy | undefined = (MUTATIONS[name] as Mutate)(truth);
  if (untidy === undefined || untidy === 'absent') return untidy;
  return stringify(untidy.value) === stringify(truth.value) ? undefined : untidy;
}
