import { z } from 'zod';
import { json, routeDocs } from '../../http/route-docs.js';
import { openedView, view } from '../../openapi/models/connect.model.js';
import { timestamp } from '../../openapi/models/values.model.js';

/** Source: connect 4 and 7. */
export const oauthDocs = routeDocs('Connect', {
  start: {
    id: 'connect.startOAuth',
    summary: "Start a redirect to the bank's own pages",
    response: json(
      z.object({
        authorize_url: z.string(),
        state_hash: z.string(),
        expires_at: timestamp,
        view,
      }),
    ),
  },
  return: {
    id: 'connect.completeOAuth',
    summary: 'Complete a redirect with the address that the user returned to',
    response: json(view),
  },
  resume: {
    id: 'connect.resumeSession',
    summary: 'Resume the session in a window that has only the return address',
    response: json(openedView),
  },
});
