import { z } from 'zod';
import { json, routeDocs } from '../../../../apps/api/src/http/route-docs.js';

export const toyDocs = routeDocs('Users', {
  wish: {
    id: 'toys.wish',
    summary: 'Wish for a toy',
    description: 'A wish is not a promise.',
    requestExample: { toy: 'kite' },
    response: json(z.object({ toy: z.string(), app: z.string() }), {
      example: { toy: 'kite', app: 'Pocket Ledger' },
    }),
  },
});
