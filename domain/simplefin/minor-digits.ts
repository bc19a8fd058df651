/** The digits of the minor unit in ISO 4217, where it has not two. */
const MINOR_DIGITS: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const BY_CURRENCY: ReadonlyMap<string, number> = new Map(
  Object.entries(MINOR_DIGITS).flatMap(([digits, codes]) =>
    codes.split(' ').map((code) => [code, Number(digits)] as const),
  ),
);

/** The number of decimals in which a currency is written; 2 for an unknown code. */
export const minorDigits = (currency: string): number => BY_CURRENCY.get(currency) ?? 2;
