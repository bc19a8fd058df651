export function parseAddress(address: string | null): URL | null {
  try {
    return address === null ? null : new URL(address);
  } catch {
    return null;
  }
}

/** The `oauth_state_id` of a return address, or null. Source: connect 7. */
export function stateIdOf(address: string): string | null {
  return parseAddress(address)?.searchParams.get('oauth_state_id') ?? null;
}
