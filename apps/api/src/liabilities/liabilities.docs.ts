import { z } from 'zod';
import { json, routeDocs } from '../http/route-docs.js';
import { liability } from '../openapi/models/liability.model.js';
import { link } from '../openapi/models/link.model.js';
import { nextCursor } from '../openapi/models/values.model.js';

/** Source: native-api 3.15. */
export const liabilitiesDocs = routeDocs('Product data', {
  list: {
    id: 'liabilities.list',
    summary: 'List the debts of the open accounts that the user permitted',
    description:
      'Cards, credit lines, mortgages, student and other loans, one object per account, with their rates, statements and due dates. Reads stored data. A granted product that was never fetched returns an empty list. Every field is sent, and null where the source does not report it; zero is a fact. A due date in the past stays as the source sent it.',
    response: json(
      z.object({
        liabilities: z.array(liability).describe('The debts of this page.'),
        next_cursor: nextCursor,
        link,
      }),
    ),
  },
});
