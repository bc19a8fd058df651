import { z } from 'zod';
import { json, routeDocs } from '../http/route-docs.js';
import { deliveryToken } from '../openapi/models/values.model.js';

/** Sources: native-api 3.8, webhooks 10. */
export const webhookTestDocs = routeDocs('Webhooks', {
  test: {
    id: 'webhooks.sendTestEvent',
    summary: 'Send a test webhook for a Sandbox link',
    description:
      'The webhook is signed, retried and logged like any other, with the origin `test`. The link does not change. A `webhook_idempotency_key` that is used twice sends two webhooks.',
    requestExample: { webhook_event: 'link.state_changed', webhook_idempotency_key: 'test-1' },
    response: json(
      z.object({ delivery_token: deliveryToken.describe('The id of the delivery.') }),
      {
        example: { delivery_token: 'whd_m3FPBVqADyP2iKxUFgN4KL' },
      },
    ),
    errors: [
      'link_error.bad_config',
      'link_error.not_found',
      'link_error.unauthorized_access',
      'link_error.deleted',
    ],
  },
});
