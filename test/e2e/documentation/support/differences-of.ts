/**
 * The places at which two values have different types or members. Null and an empty list have the form of everything,
 * since they depend on how far the work of the service is; of a list, the first rows are compared.
 */
export function differencesOf(one: unknown, other: unknown, place = ''): string[] {
  if (one === null || other === null) return [];
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === 0 || other.length === 0
      ? []
      : differencesOf(one[0], other[0], `${place}[0]`);
  if (!isObject(one) || !isObject(other))
    return typeof one === typeof other ? [] : [`${place}: ${typeof one}, not ${typeof other}`];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].flatMap((name) =>
    name in one && name in other
      ? differencesOf(one[name], other[name], `${place}.${name}`)
      : [`${place}.${name}: in one of both`],
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
