import { InvalidArgumentError } from 'commander';

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Must be a whole number.');
  return Number(text);
}

export function positiveNumber(text: string): number {
  if (!/^0*[1-9]\d{0,8}$/.test(text))
    throw new InvalidArgumentError('Must be a whole number of 1 or more.');
  return Number(text);
}

/** One of the given words. */
export function oneOf<const T extends string>(...values: readonly T[]): (text: string) => T {
  return (text) => {
    const found = values.find((value) => value === text);
    if (found === undefined) throw new InvalidArgumentError(`Must be one of ${values.join(', ')}.`);
    return found;
  };
}

/** For an option that may be repeated. */
export function collect<T>(
  parse: (text: string) => T,
): (text: string, earlier?: readonly T[]) => T[] {
  return (text, earlier = []) => [...new Set([...earlier, parse(text)])];
}
