/** Rule 11: in the memory of the process, by the base address of the Connect that a token belongs to. */
const kept = new Map<string, string>();

export function keptToken(baseAddress: string): string | null {
  return kept.get(baseAddress) ?? null;
}

/** A flow that forgets its token leaves that of a newer flow alone. */
export function replaceKeptToken(
  baseAddress: string,
  { before, after }: { before: string | null; after: string | null },
): void {
  if (after !== null) kept.set(baseAddress, after);
  else if (keptToken(baseAddress) === before) kept.delete(baseAddress);
}
