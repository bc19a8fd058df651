import type { SessionTokenKind } from '../../../domain/announcements/api-format.js';
import type { Environment } from '../../../domain/api/environment.js';
import { TOKEN_RANDOM_BYTES } from '../../../domain/api/token-format.js';
import type { Context } from '../../base/context.js';
import { formatOf } from '../../announcements/events/formats.js';

/** A new token of a session, in the form of the API that created the session. */
export function makeSessionToken(
  { random, uuid }: Context,
  kind: SessionTokenKind,
  session: { webhookFormat: string; environment: Environment },
): string {
  const { prefix, secret } = formatOf(session).sessionTokens;
  return (
    prefix(kind, session.environment) +
    (secret === 'uuid' ? uuid() : Buffer.from(random(TOKEN_RANDOM_BYTES)).toString('base64url'))
  );
}
