import { routeDocs } from '../http/route-docs.js';

export const providerWebhookDocs = routeDocs('Operator', {
  receive: {
    id: 'providers.receiveWebhook',
    summary: 'Receive a webhook of the source of a configuration',
    response: { kind: 'nothing' },
    errors: ['api_error.request.not_found', 'api_error.rate_limit_exceeded'],
  },
});
