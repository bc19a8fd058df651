import type { Country } from '../institutions/countries.js';

const INTERNATIONAL = /^\+[1-9]\d{6,14}$/;
/** What people write between the digits. */
const PUNCTUATION = /[\s().\-/]/g;

interface NumberingPlan {
  prefix: string;
  /** A number as it is dialled inside the country, without its trunk prefix. */
  national: RegExp;
}

const PLANS: Readonly<Record<Country, NumberingPlan>> = {
  US: { prefix: '+1', national: /^1?([2-9]\d{9})$/ },
  CA: { prefix: '+1', national: /^1?([2-9]\d{9})$/ },
  GB: { prefix: '+44', national: /^0([1-9]\d{8,9})$/ },
};

/** `+16145550142`; a number that cannot be turned into that form is passed on unchanged. Source: native-api 4.4. */
export function internationalPhoneNumber(text: string, country: Country): string {
  const digits = text.replace(PUNCTUATION, '').replace(/^00/, '+');
  if (INTERNATIONAL.test(digits)) return digits;
  const { prefix, national } = PLANS[country];
  const [, local] = national.exec(digits) ?? [];
  return local === undefined ? text : prefix + local;
}
