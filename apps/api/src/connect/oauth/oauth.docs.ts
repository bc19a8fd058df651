import { z } from 'zod';
import { json, routeDocs } from '../../http/route-docs.js';
import { openedView, view } from '../../openapi/models/connect.model.js';
import { timestamp } from '../../openapi/models/values.model.js';

/** Source: connect 4 and 7. */
export const oauthDocs = routeDocs('Connect', {
  start: {
    id: 'connect.startOAuth',
    summary: "Start a redirect to the bank's own pages",
    description:
      'Send the user to `authorize_url` in the window that you named. Keep `state_hash`: it recognizes the return address.',
    response: json(
      z.object({
        authorize_url: z.string().describe('The address of the login at the institution.'),
        state_hash: z
          .string()
          .describe('The SHA-256 of the `state` that the return address will carry.'),
        expires_at: timestamp.describe('The time until which the user has to return.'),
        view: view.describe('The view of the session now.'),
      }),
    ),
  },
  return: {
    id: 'connect.completeOAuth',
    summary: 'Complete a redirect with the address that the user returned to',
    description:
      'For the window that started the redirect, or one that shares its storage. `url` is the complete return address.',
    response: json(view),
  },
  resumable: {
    id: 'connect.findResumable',
    summary: 'Find out whether a return address can still be resumed',
    description:
      'For an SDK on a phone, before Connect covers an app that a link has opened: a phone may deliver an old link again. It changes nothing, and returns the same for an address that is unknown, used, too old, or of a session that this caller could not resume.',
    response: json(
      z.object({
        resumable: z
          .boolean()
          .describe('`/session/resume` with the same address and token would continue a session.'),
      }),
    ),
  },
  resume: {
    id: 'connect.resumeSession',
    summary: 'Resume the session in a window that has only the return address',
    description:
      'For a window that does not have the `connect_token`, such as an app that was closed during the login. It gets a new one; the earlier one ends.',
    response: json(openedView),
  },
});
