/**
 * Check digits of securities. Each function returns whether a text, in upper case and without blanks,
 * is a valid identifier.
 */

/** ISO 6166. */
export function isIsin(text: string): boolean {
  if (!/^[A-Z]{2}[A-Z0-9]{9}\d$/.test(text)) return false;
  const digits = [...text].map(valueOf).join('');
  return checksum([...digits].map(Number).reverse(), (place) => place % 2 === 1) % 10 === 0;
}

/** Also CINS, whose first character is a letter. */
export function isCusip(text: string): boolean {
  if (!/^[A-Z0-9*@#]{8}\d$/.test(text)) return false;
  return hasCheckDigit(text);
}

export function isSedol(text: string): boolean {
  if (!/^[B-DF-HJ-NP-TV-Z0-9]{6}\d$/.test(text)) return false;
  const weights = [1, 3, 1, 7, 3, 9, 1];
  return sumOf(weights.map((weight, place) => weight * valueOf(text[place] ?? ''))) % 10 === 0;
}

/** Prefixes that a FIGI does not have, so that it differs from every ISIN. */
const NOT_OF_FIGI = /^(BS|BM|GG|GB|GH|KY|VG)/;

export function isFigi(text: string): boolean {
  if (!/^[B-DF-HJ-NP-TV-Z]{2}G[B-DF-HJ-NP-TV-Z0-9]{8}\d$/.test(text)) return false;
  return !NOT_OF_FIGI.test(text) && hasCheckDigit(text);
}

/** The CUSIP in an ISIN of the United States or Canada; null = it contains none. */
export function cusipInIsin(isin: string): string | null {
  return /^(US|CA)/.test(isin) && isIsin(isin) && isCusip(isin.slice(2, 11))
    ? isin.slice(2, 11)
    : null;
}

function hasCheckDigit(text: string): boolean {
  const values = [...text.slice(0, -1)].map(valueOf);
  const sum = checksum(values, (place) => place % 2 === 1);
  return (10 - (sum % 10)) % 10 === Number(text.at(-1));
}

/** The sum of the digits of all values, some of which count double. */
function checksum(values: readonly number[], isDoubled: (place: number) => boolean): number {
  return sumOf(
    values.map((value, place) => {
      const counted = isDoubled(place) ? value * 2 : value;
      return Math.floor(counted / 10) + (counted % 10);
    }),
  );
}

function valueOf(character: string): number {
  const special = '*@#'.indexOf(character);
  return special < 0 ? Number.parseInt(character, 36) : 36 + special;
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
