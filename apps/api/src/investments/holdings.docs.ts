import { z } from 'zod';
import { json, routeDocs } from '../http/route-docs.js';
import { holding, holdingsAccount } from '../openapi/models/holding.model.js';
import { link } from '../openapi/models/link.model.js';
import { security } from '../openapi/models/security.model.js';
import { day, nextCursor } from '../openapi/models/values.model.js';

/** Source: native-api 3.13. */
export const holdingsDocs = routeDocs('Product data', {
  list: {
    id: 'holdings.list',
    summary: 'List the holdings of a link',
    description:
      'Positions of the investment accounts, as of the last refresh or of a day in the past. `value = quantity × price × price_factor`, and an account is worth the sum of its values plus its `cash.amount`: cash that is itself a holding is not counted again.\n\nAn account comes once, with the page of its last holding.',
    response: json(
      z.object({
        as_of: day.nullable().describe('The day of the data; null = it was never fetched.'),
        holdings: z.array(holding).describe('The holdings of this page.'),
        securities: z.array(security).describe('The securities of these holdings.'),
        accounts: z.array(holdingsAccount).describe('The accounts that end on this page.'),
        next_cursor: nextCursor,
        link,
      }),
    ),
  },
});
