/** One value, or one for each direction of the money: in = credit, out = debit. */
export type ByDirection<T> = T | { readonly in: T; readonly out: T };

export function byDirection<T extends string | object>(
  value: ByDirection<T>,
  type: 'credit' | 'debit',
): T {
  if (typeof value !== 'object' || !('in' in value)) return value as T;
  return value[type === 'credit' ? 'in' : 'out'];
}
