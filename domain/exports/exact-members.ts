/** A member of public JSON: text, or the exact text of a number or boolean; null = null. */
export type ExactMember = { text: string } | { number: string } | null;

/**
 * The members of a public JSON object. A member of an inner object has a path such as
 * `statement.date`, one of a list its position such as `rates.0.kind`; an empty list has none.
 * Numbers keep their digits, which a JavaScript number may not hold.
 */
export function exactMembers(json: string): ReadonlyMap<string, ExactMember> {
  const members = new Map<string, ExactMember>();
  const add = (path: string, value: unknown): void => {
    if (value === null) members.set(path, null);
    else if (typeof value === 'string') members.set(path, { text: value });
    else if (value instanceof Digits) members.set(path, { number: value.text });
    else if (typeof value === 'object')
      for (const [name, inner] of Object.entries(value as object))
        add(path === '' ? name : `${path}.${name}`, inner);
    else members.set(path, { number: String(value) });
  };
  add('', JSON.parse(json, keepDigits));
  return members;
}

class Digits {
  constructor(readonly text: string) {}
}

function keepDigits(_: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' ? new Digits(context?.source ?? String(value)) : value;
}
