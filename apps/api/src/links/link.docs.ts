import { z } from 'zod';
import { json, routeDocs } from '../http/route-docs.js';
import { link } from '../openapi/models/link.model.js';
import {
  EXPORT_ALTERNATIVES,
  EXPORT_DESCRIPTION,
  linkExport,
} from '../openapi/models/user-export.model.js';
import { nextCursor } from '../openapi/models/values.model.js';

/** Source: native-api 3.4. */
export const linkDocs = routeDocs('Links', {
  list: {
    id: 'links.list',
    summary: 'List links that were connected at least once or imported',
    description:
      'Whole links by the time of their creation, with `updated_since` by that of their update, oldest first unless `order` is `desc`. Filters are combined.\n\nFollow `next_cursor` with the same filters and order until it is empty: a page may hold fewer links than `limit`, even none.',
    response: json(
      z.object({
        links: z.array(link).describe('The links of this page.'),
        next_cursor: nextCursor,
      }),
    ),
  },
  show: {
    id: 'links.get',
    summary: 'Get a link; a deleted one for 90 days',
    description:
      'Shows the state of the link and of each of its products: when it was refreshed, whether it is stale, and why. Data calls return `link`, too, so you rarely need this call on its own.',
    response: json(link),
    // native-api 3.4: a deleted link can only be read.
    exceptErrors: ['link_error.deleted'],
  },
  update: {
    id: 'links.update',
    summary: 'Change the webhook address and tags of a link',
    description:
      'Fields that are missing remain unchanged. Setting `webhook`, even to the same address, enables it again after your endpoint returned 410. Null removes it.',
    response: json(link),
  },
  disconnect: {
    id: 'links.delete',
    summary: 'Delete a link',
    description:
      'Ends the permission at the institution where that is possible, and erases the data of the link. The link can be read for 90 days with the state `deleted`; any other call on it returns 410.',
    response: { kind: 'nothing' },
  },
  export: {
    id: 'links.export',
    summary: 'Export everything stored about a link, as a stream',
    description: EXPORT_DESCRIPTION,
    response: json(linkExport, { alternatives: EXPORT_ALTERNATIVES }),
    // native-api 3.7: a deleted link can be exported as long as it is shown.
    exceptErrors: ['link_error.deleted'],
  },
  reset: {
    id: 'links.reset',
    summary: 'Make a Sandbox link require its owner to sign in again',
    description:
      'Moves the link to the state `error` with the error `auth_expired`, so that you can test the repair. Links of Live are refused.',
    response: json(link),
    errors: ['link_error.forbidden_action', 'link_error.bad_state'],
  },
});
