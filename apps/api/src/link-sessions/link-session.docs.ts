import { z } from 'zod';
import { json, routeDocs } from '../http/route-docs.js';
import { link } from '../openapi/models/link.model.js';
import { linkSession, linkSessionInFull } from '../openapi/models/link-session.model.js';
import { linkId, nextCursor, sessionId, timestamp } from '../openapi/models/values.model.js';

/** Source: native-api 3.3. */
export const linkSessionDocs = routeDocs('Link sessions', {
  create: {
    id: 'linkSessions.create',
    summary: 'Create a session in which an end user links accounts',
    response: json(
      z.object({
        link_session_token: z.string(),
        expires_at: timestamp,
        session_id: sessionId,
        hosted_url: z
          .string()
          .nullable()
          .describe(
            'A page that runs the session in a browser, for one person. Null without `hosted`.',
          ),
      }),
    ),
    errors: [
      'link_session_error.forbidden_config',
      'link_error.not_found',
      'link_error.deleted',
      'link_error.unauthorized_access',
      'link_error.bad_state',
      'sandbox_error.not_found',
    ],
  },
  list: {
    id: 'linkSessions.list',
    summary: 'List the sessions of the last 90 days with their outcomes, newest first',
    response: json(z.object({ link_sessions: z.array(linkSession), next_cursor: nextCursor })),
  },
  show: {
    id: 'linkSessions.get',
    summary: 'Get a session with its outcome',
    response: json(linkSessionInFull),
    errors: ['link_session_error.not_found'],
  },
  exchange: {
    id: 'linkSessions.exchangeToken',
    summary: 'Exchange the token of a finished session for its link',
    response: json(
      z.object({ link_id: linkId, link, customer_user: z.object({ id: z.string() }) }),
    ),
    errors: [
      'link_session_error.invalid_token_exchange',
      'link_error.forbidden_action',
      'link_error.not_found',
      'link_error.unauthorized_access',
      'link_session_error.forbidden_config',
    ],
  },
});
