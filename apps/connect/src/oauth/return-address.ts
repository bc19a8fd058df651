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

/**
 * How a window recognizes a return address that is meant for it: base64url SHA-256 of the id,
 * without padding (connect 7).
 */
export async function isMeantFor(stateId: string, stateHash: string): Promise<boolean> {
  const digest = new Uint8Array(
    await crypto.subtle.digest('SHA-256', new TextEncoder().encode(stateId)),
  );
  const base64 = btoa(String.fromCharCode(...digest));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === stateHash;
}
