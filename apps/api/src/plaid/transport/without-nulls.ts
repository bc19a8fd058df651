/**
 * The value without members that are null, at every depth. Null members of lists stay and are
 * refused. The depth was limited when the JSON was read.
 */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map((entry) =>
      typeof entry === 'object' && entry !== null ? withoutNulls(entry) : (entry as unknown),
    );
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      inner === null ? [] : [[name, withoutNulls(inner)]],
    ),
  );
}
