import { z } from 'zod';
import { json, routeDocs } from '../http/route-docs.js';
import {
  connectInstitution,
  exitResult,
  openedView,
  reopenedSession,
  sessionResult,
  view,
} from '../openapi/models/connect.model.js';
import { pageCursor } from '../openapi/models/values.model.js';

/** Source: connect 4. */
export const connectDocs = routeDocs('Connect', {
  open: {
    id: 'connect.openSession',
    summary: 'Open a session, or take it over in another window',
    description:
      'Opening again continues at the current step: the newest window gets a fresh `connect_token`, and calls with the earlier one return 409 `connect_error.session_moved`.',
    response: json(openedView),
  },
  reopen: {
    id: 'connect.reopenSession',
    summary: 'Reopen a hosted session in the browser that opened it',
    description:
      'For the hosted page after a reload: the browser is recognized by its cookie alone, and no other one learns anything about the session. A session that can continue is taken over as by opening it again. After an end that its user caused, which includes leaving, `end` has the outcome.',
    response: json(reopenedSession),
  },
  poll: {
    id: 'connect.getSession',
    summary: 'Get the current view of the session, or wait for a change',
    description:
      'With `wait`, returns as soon as `seq` exceeds `after_seq`, or after `wait` seconds. Poll with it while the step is `wait`.',
    response: json(view),
  },
  step: {
    id: 'connect.submitStep',
    summary: 'Submit the input of a step',
    description:
      '`input` has the `kind` of the current step, or is `back`; `seq` is that of the view it responds to. A repeated `request_id` returns the same result. If the service still works after 15 seconds, it returns the step `wait`.',
    response: json(view),
  },
  extend: {
    id: 'connect.extendSession',
    summary: 'Extend the idle limit of the session',
    description:
      'Call it while the user is active on the page, so that the session does not end for idleness.',
    response: json(view),
  },
  finish: {
    id: 'connect.finishSession',
    summary: 'Get the result of a finished session',
    description:
      'Allowed in the step `success`. Pass the token of the result to your back end. Another call with another `request_id` issues a new token, which replaces the earlier one.',
    response: json(sessionResult),
  },
  exit: {
    id: 'connect.exitSession',
    summary: 'End the linking attempt',
    description:
      'Ends the attempt, not the session: it can be opened again until it expires, and then starts from its first step.',
    response: json(exitResult),
  },
  search: {
    id: 'connect.searchInstitutions',
    summary: 'Search the institutions of the session',
    description:
      'Finds names by their beginning and tolerates typing errors. Without `q`, featured institutions come first.',
    response: json(
      z.object({
        institutions: z
          .array(connectInstitution)
          .describe('The institutions, the most likely first.'),
        cursor: pageCursor.describe('The position after this page.'),
      }),
    ),
  },
});
