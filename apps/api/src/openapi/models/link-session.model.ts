import { z } from 'zod';
import { SESSION_OUTCOMES, SESSION_STATES } from '../../../../../domain/session/session-outcome.js';
import { linkId, sessionId, timestamp } from './values.model.js';

export const linkSessionMode = z.enum(['link', 'relink']).meta({
  id: 'LinkSessionMode',
  description: '`link`: for a new link. `relink`: for an existing one.',
});
export const linkSessionState = z.enum(SESSION_STATES).meta({ id: 'LinkSessionState' });
/** Source: native-api 4.8. */
export const customerUserReference = z
  .object({ id: z.string() })
  .meta({ id: 'CustomerUserReference' });
export const sessionOutcome = z.enum(SESSION_OUTCOMES).meta({ id: 'SessionOutcome' });

/** Source: native-api 4.12. */
export const linkSession = z
  .object({
    session_id: sessionId,
    mode: linkSessionMode,
    state: linkSessionState,
    outcome: sessionOutcome.nullable().describe('Null while the user may still act.'),
    customer_user: customerUserReference,
    institution_id: z.string().nullable(),
    link_id: linkId
      .nullable()
      .describe('The link that the session created, repaired or is to repair.'),
    existing_link_id: linkId.nullable(),
    tags: z.array(z.string()),
    hosted: z
      .object({ return_url: z.string().nullable() })
      .meta({ id: 'LinkSessionHosting' })
      .nullable()
      .describe('Null = in an SDK.'),
    created_at: timestamp,
    opened_at: timestamp
      .nullable()
      .describe('The first opening. Null until then: loading a hosted page opens nothing.'),
    expires_at: timestamp,
    ended_at: timestamp.nullable(),
  })
  .meta({ id: 'LinkSession' });

export const linkSessionInFull = linkSession
  .extend({
    exchangeable_token: z
      .string()
      .nullable()
      .describe('Of a hosted session that created a link, while it can be exchanged.'),
  })
  .meta({ id: 'LinkSessionInFull' });
