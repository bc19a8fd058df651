import { InvalidArgumentError } from 'commander';

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

/** For an option that may be given several times. */
export function collect<T>(parse: (text: string) => T): (text: string, earlier: readonly T[]) => T[] {
  return (text, earlier) => [...new Set([...earlier, parse(text)])];
}
