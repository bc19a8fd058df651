/** The types of a security. Source: native-api 3.13. */
export const SECURITY_TYPES = [
  'cash',
  'cryptocurrency',
  'derivative',
  'equity',
  'etf',
  'fixed_income',
  'loan',
  'mutual_fund',
  'other',
] as const;
export type SecurityType = (typeof SECURITY_TYPES)[number];
