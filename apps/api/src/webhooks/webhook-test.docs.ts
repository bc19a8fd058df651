import { z } from 'zod';
import { json, routeDocs } from '../http/route-docs.js';
import { deliveryToken } from '../openapi/models/values.model.js';

/** Sources: native-api 3.8, webhooks 10. */
export const webhookTestDocs = routeDocs('Webhooks', {
  test: {
    id: 'webhooks.sendTestEvent',
    summary: 'Send a test webhook for a Sandbox link',
    response: json(z.object({ delivery_token: deliveryToken })),
    errors: [
      'link_error.bad_config',
      'link_error.not_found',
      'link_error.unauthorized_access',
      'link_error.deleted',
    ],
  },
});
