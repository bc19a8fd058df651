/** A decimal text that is written as a JSON number, digit by digit. */
export class JsonNumber {
  constructor(readonly text: string) {
    if (!/^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)) throw new Error(`"${text}" is not a JSON number.`);
  }
}

export type FdxValue =
  | JsonNumber
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly FdxValue[]
  | { readonly [name: string]: FdxValue };

/**
 * Writes a body as JSON. Numbers of money never become a double, so 19 digits stay 19 digits;
 * `undefined` is omitted.
 */
export function writeJson(value: FdxValue): string {
  if (value instanceof JsonNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const entries = Object.entries(value as Record<string, FdxValue>).flatMap(([name, part]) =>
    part === undefined ? [] : [`${JSON.stringify(name)}:${writeJson(part)}`],
  );
  return `{${entries.join(',')}}`;
}
