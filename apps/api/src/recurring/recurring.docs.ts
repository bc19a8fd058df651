import { z } from 'zod';
import { json, routeDocs } from '../http/route-docs.js';
import { link } from '../openapi/models/link.model.js';
import { recurringStream } from '../openapi/models/recurring.model.js';
import { nextCursor } from '../openapi/models/values.model.js';

/** Source: native-api 3.12. */
export const recurringDocs = routeDocs('Product data', {
  list: {
    id: 'recurring.list',
    summary: 'List the payments that return',
    description:
      'Salaries, rents, bills and subscriptions, from weekly to annual, found in the stored transactions of the last two years: at most the newest 20,000, and at most 500 streams. No language and no list of names decides; `why` shows the evidence. Streams keep their ids while they share rows, and come in the order in which they were found.\n\nA transfer between two accounts of the link is marked `is_transfer`.',
    response: json(
      z.object({
        streams: z.array(recurringStream).describe('The streams of this page.'),
        next_cursor: nextCursor,
        link,
      }),
    ),
  },
});
