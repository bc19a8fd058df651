/** The countries whose institutions the first version of the API includes. Source: native-api 6. */
export const FIRST_COUNTRIES = ['US', 'GB', 'CA'] as const;

/** Countries with institutions: the EEA, Great Britain and North America. Source: native-api 4.10. */
export const COUNTRIES = [
  ...FIRST_COUNTRIES,
  'AT',
  'BE',
  'BG',
  'CY',
  'CZ',
  'DE',
  'DK',
  'EE',
  'ES',
  'FI',
  'FR',
  'GR',
  'HR',
  'HU',
  'IE',
  'IS',
  'IT',
  'LI',
  'LT',
  'LU',
  'LV',
  'MT',
  'NL',
  'NO',
  'PL',
  'PT',
  'RO',
  'SE',
  'SI',
  'SK',
] as const;
export type Country = (typeof COUNTRIES)[number];
