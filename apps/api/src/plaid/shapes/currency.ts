const ISO_4217: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

export interface CurrencyCodes {
  iso_currency_code: string | null;
  unofficial_currency_code: string | null;
}

/** Exactly one of the two has the code. Source: plaid-compat 3.3. */
export function currencyCodes(currency: string): CurrencyCodes {
  return ISO_4217.has(currency)
    ? { iso_currency_code: currency, unofficial_currency_code: null }
    : { iso_currency_code: null, unofficial_currency_code: currency };
}
