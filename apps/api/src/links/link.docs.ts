import { z } from 'zod';
import { json, routeDocs } from '../http/route-docs.js';
import { link } from '../openapi/models/link.model.js';
import { nextCursor } from '../openapi/models/values.model.js';

/** Source: native-api 3.4. */
export const linkDocs = routeDocs('Links', {
  list: {
    id: 'links.list',
    summary: 'List links that were connected at least once or imported',
    response: json(
      z.object({
        links: z.array(link),
        next_cursor: nextCursor,
      }),
    ),
  },
  show: {
    id: 'links.get',
    summary: 'Get a link; a deleted one for 90 days',
    response: json(link),
    // native-api 3.4: a deleted link can only be read.
    exceptErrors: ['link_error.deleted'],
  },
  update: {
    id: 'links.update',
    summary: 'Change the webhook address and tags of a link',
    response: json(link),
  },
  disconnect: {
    id: 'links.delete',
    summary: 'Delete a link',
    response: { kind: 'nothing' },
  },
  reset: {
    id: 'links.reset',
    summary: 'Make a Sandbox link require its owner to sign in again',
    response: json(link),
    errors: ['link_error.forbidden_action', 'link_error.bad_state'],
  },
});
