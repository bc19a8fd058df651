import { routeDocs } from '../../http/route-docs.js';

/** Source: plaid-compat 11. */
export const overviewDocs = routeDocs('Operator', {
  page: {
    id: 'service.showPlaidOverview',
    summary: 'Show what the Plaid-compatible layer offers and how it differs from Plaid',
    response: { kind: 'media', type: 'text/html', cacheable: true },
  },
});
