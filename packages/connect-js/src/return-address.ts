// connect 7: `oauth_state_id` is a random UUID of version 4, and the first and only parameter the service adds
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const QUERY = /^[a-z][a-z0-9+.-]*:[^?#\x00-\x20]*\?([^#\x00-\x20]*)(?:#|$)/i;

const PARAMETER = 'oauth_state_id=';

/**
 * @returns the state of an address that a bank's login returned to; undefined for any other text,
 * and, as at the service, for an address with several. Without `URL`, which is not reliable
 * for the schemes of apps.
 */
export function readStateId(url: unknown): string | undefined {
  if (typeof url !== 'string') return undefined;
  const parameters = QUERY.exec(url)?.[1]?.split('&') ?? [];
  const [id, ...others] = parameters
    .filter((parameter) => parameter.startsWith(PARAMETER))
    .map((parameter) => parameter.slice(PARAMETER.length));
  return id !== undefined && others.length === 0 && UUID.test(id) ? id : undefined;
}
