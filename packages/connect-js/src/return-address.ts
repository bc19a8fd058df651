// connect 7: `oauth_state_id` is a random UUID of version 4, and the first and only parameter the service adds
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** @returns the state of a URL that a bank's login returned to, undefined for any other URL */
export function readStateId(url: unknown): string | undefined {
  if (typeof url !== 'string') return undefined;
  try {
    const id = new URL(url).searchParams.get('oauth_state_id');
    return id !== null && UUID.test(id) ? id : undefined;
  } catch {
    return undefined;
  }
}
