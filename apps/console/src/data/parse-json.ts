/** A reviver of ES2026, which sees the text of a number. */
type Reviver = (
  this: object,
  name: string,
  value: unknown,
  context?: { source?: string },
) => unknown;

const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;
const digits = new WeakMap<object, Record<string, string>>();

/** Parses an answer, and keeps the digits of the numbers that JavaScript prints otherwise, such as 1.50. */
export function parseJson(text: string): unknown {
  return parse(text, function (name, value, context) {
    if (typeof value === 'number' && context?.source !== undefined) {
      if (context.source !== String(value))
        digits.set(this, { ...digits.get(this), [name]: context.source });
    }
    return value;
  });
}

/** The digits of a number as the service wrote them; money is printed from them. */
export function digitsOf<Name extends string>(
  holder: Record<Name, number | string>,
  name: Name,
): string {
  return digits.get(holder)?.[name] ?? String(holder[name]);
}
