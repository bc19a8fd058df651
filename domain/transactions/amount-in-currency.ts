/** A row in its own currency, and its amount in another one if the source converted it. */
export interface ConvertedAmount {
  /** Decimal text. */
  amount: string;
  currency: string;
  original: { amount: string; currency: string } | null;
}

/** The amount of a row in a currency, by the conversion of its source; null = the source has none. */
export function amountInCurrency(
  { amount, currency, original }: ConvertedAmount,
  wanted: string,
): string | null {
  if (currency === wanted) return amount;
  return original?.currency === wanted ? original.amount : null;
}
