/** Decimals of ISO 4217 for the currency; 2 for one that the browser does not know. */
function decimalsOf(currency: string): number {
  try {
    return (
      new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
        .maximumFractionDigits ?? 2
    );
  } catch {
    return 2;
  }
}

/**
 * `2,350.00 USD`: the digits of the source text, never of a rounded number; its own decimals where it
 * has more than the currency.
 * @param digits the text of a JSON number
 */
export function moneyText(digits: string, currency: string): string {
  const plain = withoutExponent(digits);
  if (plain === null) return `${digits} ${currency}`;
  const isNegative = plain.startsWith('-');
  const [whole = '0', fraction = ''] = plain.replace('-', '').split('.');
  const decimals = decimalsOf(currency);
  const shown = withoutTrailingZeros(fraction).padEnd(decimals, '0');
  const grouped = groupedByThousands(whole);
  return `${isNegative ? '\u2212' : ''}${grouped}${shown === '' ? '' : `.${shown}`} ${currency}`;
}

function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

function groupedByThousands(digits: string): string {
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3)
    groups.unshift(digits.slice(Math.max(0, end - 3), end));
  return groups.join(',');
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;

/** @returns null for what is not a number of JSON */
function withoutExponent(text: string): string | null {
  const match = NUMBER.exec(text);
  if (match === null) return null;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const shift = Number(exponent);
  const digits = whole + fraction;
  const point = whole.length + shift;
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0');
  const at = point <= 0 ? 1 : point;
  const left = padded.slice(0, at).replace(/^0+(?=\d)/, '');
  const right = padded.slice(at);
  return `${sign}${left}${right === '' ? '' : `.${right}`}`;
}
