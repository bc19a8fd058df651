import type { Country } from '../institutions/countries.js';

const INTERNATIONAL = /^\+[1-9]\d{6,14}$/;
/** Characters people write between the digits. */
const PUNCTUATION = /[\s().\-/]/g;

interface NumberingPlan {
  prefix: string;
  /** A number as dialed within the country, with or without its trunk prefix. */
  national: RegExp;
}

/** Numbers of other countries are shown as the bank reports them. */
const PLANS: Readonly<Partial<Record<Country, NumberingPlan>>> = {
  US: { prefix: '+1', national: /^1?([2-9]\d{9})$/ },
  CA: { prefix: '+1', national: /^1?([2-9]\d{9})$/ },
  GB: { prefix: '+44', national: /^0([1-9]\d{8,9})$/ },
};

/**
 * Formats a number like `+16145550142`. Returns the text unchanged if it cannot be converted.
 * Source: native-api 4.4.
 */
export function internationalPhoneNumber(text: string, country: Country): string {
  const digits = text.replace(PUNCTUATION, '').replace(/^00/, '+');
  if (INTERNATIONAL.test(digits)) return digits;
  const plan = PLANS[country];
  const [, local] = plan?.national.exec(digits) ?? [];
  return plan === undefined || local === undefined ? text : plan.prefix + local;
}
