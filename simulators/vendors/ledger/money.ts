/** Exact sums of decimal texts, of any number of digits. */

const DECIMAL = /^-?\d+(\.\d+)?$/;

export const isDecimal = (text: string): boolean => DECIMAL.test(text);

/** The sum of decimal texts, with as many decimals as the longest of them. */
export function addMoney(...amounts: readonly string[]): string {
  const scale = Math.max(...amounts.map(decimalsOf));
  return formatUnits(
    amounts.reduce((sum, amount) => sum + toUnits(amount, scale), 0n),
    scale,
  );
}

export const negateMoney = (amount: string): string =>
  formatUnits(-toUnits(amount, decimalsOf(amount)), decimalsOf(amount));

export const isNegative = (amount: string): boolean => amount.startsWith('-');

/** The amount without its sign. */
export const absoluteMoney = (amount: string): string => amount.replace(/^-/, '');

/** @param cents an integer, for example -1250 @returns for example "-12.50" */
export const fromCents = (cents: number): string => formatUnits(BigInt(cents), 2);

const decimalsOf = (amount: string): number => amount.split('.')[1]?.length ?? 0;

function toUnits(amount: string, scale: number): bigint {
  if (!isDecimal(amount)) throw new Error(`"${amount}" is not a decimal amount.`);
  const [whole = '0', decimals = ''] = absoluteMoney(amount).split('.');
  const units = BigInt(whole + decimals.padEnd(scale, '0'));
  return isNegative(amount) ? -units : units;
}

function formatUnits(units: bigint, scale: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const decimals = scale === 0 ? '' : `.${digits.slice(-scale)}`;
  return `${units < 0n ? '-' : ''}${whole}${decimals}`;
}
