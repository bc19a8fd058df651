import { routeDocs } from '../../http/route-docs.js';

/** Source: plaid-compat 11. */
export const overviewDocs = routeDocs('Operator', {
  page: {
    id: 'service.showPlaidOverview',
    summary: 'Show what the Plaid-compatible layer offers and how it differs from Plaid',
    description:
      'For apps that use a client library of Plaid: the calls, products and errors that the service supports, and every difference.',
    response: { kind: 'media', type: 'text/html', example: '<!doctype html>…', cacheable: true },
  },
});
