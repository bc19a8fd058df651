import { z } from 'zod';
import {
  ANNOUNCED_OUTCOMES,
  SESSION_OUTCOMES,
  SESSION_STATES,
} from '../../../../../domain/session/session-outcome.js';
import { linkId, sessionId, timestamp } from './values.model.js';

export const linkSessionMode = z.enum(['link', 'relink']).meta({
  id: 'LinkSessionMode',
  description: '`link`: for a new link. `relink`: for an existing one.',
});
export const linkSessionState = z.enum(SESSION_STATES).meta({
  id: 'LinkSessionState',
  description:
    '`created` until it is first opened, then `open`; `succeeded` or `ended` once it is over.',
});
/** Source: native-api 4.8. */
export const customerUserReference = z
  .object({ id: z.string().describe('The id that your app gave the user.') })
  .meta({
    id: 'CustomerUserReference',
    description: 'The user of a session, as your app named it.',
  });
export const sessionOutcome = z
  .enum(SESSION_OUTCOMES)
  .meta({ id: 'SessionOutcome', description: 'How a session went, as far as it has come.' });
/** Source: webhooks 2.6. */
export const announcedOutcome = z
  .enum(ANNOUNCED_OUTCOMES)
  .meta({ id: 'AnnouncedSessionOutcome', description: 'How a hosted session went.' });

/** Source: native-api 4.12. */
export const linkSession = z
  .object({
    session_id: sessionId,
    mode: linkSessionMode,
    state: linkSessionState,
    outcome: sessionOutcome.nullable().describe('Null while the user may still act.'),
    customer_user: customerUserReference,
    institution_id: z
      .string()
      .nullable()
      .describe('The institution that the user chose, or that the session named; null until then.'),
    link_id: linkId
      .nullable()
      .describe('The link that the session created, repaired or is to repair.'),
    existing_link_id: linkId
      .nullable()
      .describe('The link that the session is to repair or extend.'),
    tags: z.array(z.string()).describe('The tags for the link, as the session named them.'),
    hosted: z
      .object({
        return_url: z
          .string()
          .nullable()
          .describe('The page to which the user returns at the end.'),
      })
      .meta({ id: 'LinkSessionHosting', description: 'The hosted page of a session.' })
      .nullable()
      .describe('Null = in an SDK.'),
    created_at: timestamp.describe('The creation of the session.'),
    opened_at: timestamp
      .nullable()
      .describe('The first opening. Null until then: loading a hosted page opens nothing.'),
    expires_at: timestamp.describe('The end of its time, as it stands now.'),
    ended_at: timestamp.nullable().describe('When it was over; null until then.'),
  })
  .meta({
    id: 'LinkSession',
    description: 'The permission for one user to link accounts, and what came of it.',
  });

export const linkSessionInFull = linkSession
  .extend({
    exchangeable_token: z
      .string()
      .nullable()
      .describe(
        'Of a hosted session that created a link, while it can be exchanged. Null without the scope `link_session:write`.',
      ),
  })
  .meta({
    id: 'LinkSessionInFull',
    description: 'A link session, with the token that its result is exchanged with.',
  });
