import { z } from 'zod';
import { json, routeDocs } from '../http/route-docs.js';
import { link } from '../openapi/models/link.model.js';
import {
  customerUserReference,
  linkSession,
  linkSessionInFull,
} from '../openapi/models/link-session.model.js';
import { linkId, nextCursor, sessionId, timestamp } from '../openapi/models/values.model.js';

/** Source: native-api 3.3. */
export const linkSessionDocs = routeDocs('Link sessions', {
  create: {
    id: 'linkSessions.create',
    summary: 'Create a session in which an end user links accounts',
    description:
      'Create a session in your back end when a user wants to link an account, and pass its `link_session_token` to an SDK, or send the user to `hosted_url`. The token lets one person open Connect; it expires at `expires_at`.\n\nWith `existing_link_id`, the user repairs or extends that link instead. Repeat the call safely with an `Idempotency-Key`.',
    response: json(
      z.object({
        link_session_token: z.string().describe('The token with which the SDK opens Connect.'),
        expires_at: timestamp.describe('The end of the token, unless it is opened before.'),
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
    description:
      'Filters are combined. Follow `next_cursor` with the same filters until it is empty. The token of a finished hosted session is in `GET /link-sessions/{id}`.',
    response: json(
      z.object({
        link_sessions: z.array(linkSession).describe('The sessions of this page, newest first.'),
        next_cursor: nextCursor,
      }),
    ),
  },
  show: {
    id: 'linkSessions.get',
    summary: 'Get a session with its outcome',
    description:
      'For hosted sessions this is how your back end reads the result: `exchangeable_token` is set while a new link can be exchanged. Reading changes nothing. Sessions are kept for 90 days after their end unless the operator configured another time.',
    response: json(linkSessionInFull),
    errors: ['link_session_error.not_found'],
  },
  exchange: {
    id: 'linkSessions.exchangeToken',
    summary: 'Exchange the token of a finished session for its link',
    description:
      'Do this in your back end as soon as a session succeeds: until then the link cannot be read, and the token expires. A token can be exchanged once.\n\nCompare `customer_user.id` with the user who is signed in before you store the link, or send `expected_customer_user_id`: then the link of another user is refused with 403, and the token remains usable.',
    response: json(
      z.object({
        link_id: linkId,
        link,
        customer_user: customerUserReference.describe(
          'The user of the session: compare it with the user who is signed in.',
        ),
      }),
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
