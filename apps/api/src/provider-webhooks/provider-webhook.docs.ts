import { routeDocs } from '../http/route-docs.js';

export const providerWebhookDocs = routeDocs('Operator', {
  receive: {
    id: 'providers.receiveWebhook',
    summary: 'Receive a webhook of the source of a configuration',
    description:
      'For the data source of this configuration. The message is verified by the rules of its adapter; a valid one starts refreshes or ends permissions.',
    response: { kind: 'nothing' },
    errors: ['api_error.request.not_found', 'api_error.rate_limit_exceeded'],
  },
});
