import { parseUrl } from '../../../../../domain/addresses/parse-url.js';

/** connect 7: `oauth_state_id` is a UUID of version 4. */
const STATE_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * The oauth_state_id in the full address of a return page; null when it contains none, or several.
 * Source: connect 7, step 4.
 */
export function stateIdOf(address: string): string | null {
  const [id, ...others] = parseUrl(address)?.searchParams.getAll('oauth_state_id') ?? [];
  return id !== undefined && others.length === 0 && STATE_ID.test(id) ? id : null;
}
