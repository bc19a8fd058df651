/** No expression: one would take quadratic time, or needs look-behind, which not every browser has. */
export function withoutTrailingSlashes(address: string): string {
  let end = address.length;
  while (address.charAt(end - 1) === '/') end -= 1;
  return address.slice(0, end);
}
