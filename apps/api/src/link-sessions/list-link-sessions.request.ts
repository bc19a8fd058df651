import { z } from 'zod';
import type { SessionFilter } from '../../../../prisma/links/sessions/session-list.js';
import { SESSION_STATES } from '../../../../domain/session/session-outcome.js';
import { linkSessionState } from '../openapi/models/link-session.model.js';
import { cursor, exactly, ofUser, oneOf, single, wholeNumber } from '../schemas/query.schema.js';
import { MOMENT, moment } from '../schemas/timestamp.schema.js';

/** Source: native-api 3.3. */
export const ListLinkSessions = {
  query: z.object({
    state: oneOf(SESSION_STATES, linkSessionState).describe('Only sessions in this state.'),
    user: ofUser.describe('Only sessions of this `customer_user.id`.'),
    link_id: exactly(200).describe('Only sessions of this link.'),
    institution_id: exactly(200).describe('Only sessions at this institution.'),
    created_since: single
      .pipe(moment)
      .meta(MOMENT)
      .optional()
      .describe('Only sessions that were created then or later.'),
    cursor,
    limit: wholeNumber({ min: 1, max: 500, fallback: 100 }).describe('Sessions of a page.'),
  }),
};

export function filterOf(query: z.output<typeof ListLinkSessions.query>): SessionFilter {
  const { state, user, link_id: linkId, institution_id: institutionId } = query;
  return { state, user, linkId, institutionId, createdSince: query.created_since };
}
