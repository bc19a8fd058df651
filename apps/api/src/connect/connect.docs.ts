import { z } from 'zod';
import { json, routeDocs } from '../http/route-docs.js';
import {
  connectInstitution,
  exitResult,
  openedView,
  sessionResult,
  view,
} from '../openapi/models/connect.model.js';
import { pageCursor } from '../openapi/models/values.model.js';

/** Source: connect 4. */
export const connectDocs = routeDocs('Connect', {
  open: {
    id: 'connect.openSession',
    summary: 'Open a session, or take it over in another window',
    response: json(openedView),
  },
  poll: {
    id: 'connect.getSession',
    summary: 'Get the current view of the session, or wait for a change',
    response: json(view),
  },
  step: {
    id: 'connect.submitStep',
    summary: 'Submit the input of a step',
    response: json(view),
  },
  extend: {
    id: 'connect.extendSession',
    summary: 'Extend the idle limit of the session',
    response: json(view),
  },
  finish: {
    id: 'connect.finishSession',
    summary: 'Get the result of a finished session',
    response: json(sessionResult),
  },
  exit: {
    id: 'connect.exitSession',
    summary: 'End the linking attempt',
    response: json(exitResult),
  },
  search: {
    id: 'connect.searchInstitutions',
    summary: 'Search the institutions of the session',
    response: json(
      z.object({
        institutions: z.array(connectInstitution),
        cursor: pageCursor,
      }),
    ),
  },
});
