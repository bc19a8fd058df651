/** Countries with institutions. Source: native-api 4.10. */
export const COUNTRIES = ['US', 'GB', 'CA'] as const;
export type Country = (typeof COUNTRIES)[number];
