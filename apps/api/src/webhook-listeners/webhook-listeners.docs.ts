import { json, routeDocs } from '../http/route-docs.js';
import {
  listenedDeliveries,
  reportedDelivery,
  webhookListener,
} from '../openapi/models/webhook-listener.model.js';

/** Source: webhooks 13. */
export const webhookListenerDocs = routeDocs('Webhooks', {
  create: {
    id: 'webhooks.createListener',
    summary: 'Start to listen: receive copies of webhooks without an address',
    description:
      'For receivers that the service cannot reach, such as one on the computer of a developer. Read the deliveries of the listener, make each request at the receiver, and report its response. A listener ends a minute after its last call.\n\nWebhooks are sent to the addresses of their links as before. In Live, the operator has to allow it (`apps update --live-listening`).',
    requestExample: { webhook_events: ['link.state_changed'] },
    response: json(webhookListener),
    errors: ['api_error.sandbox_only'],
  },
  listDeliveries: {
    id: 'webhooks.listListenerDeliveries',
    summary: 'Wait for the next events of a listener',
    description:
      'Each delivery is the request that the service would make: the same headers and body bytes, signed for this response. With `wait`, the call returns as soon as there is an event, at the latest after that many seconds. Continue with the `cursor` of the last delivery you have handled; a call with an earlier one returns the deliveries behind it again, under the same tokens.',
    response: json(listenedDeliveries),
    errors: ['webhook_error.not_found', 'api_error.sandbox_only'],
  },
  report: {
    id: 'webhooks.reportListenerDelivery',
    summary: 'Report the response of a receiver to a delivery',
    description:
      'The event shows it as a delivery with the reason `listener`. The status of the event and its retries stay as they are. A second report of the same attempt changes nothing.',
    response: json(reportedDelivery),
    errors: ['webhook_error.not_found', 'api_error.sandbox_only'],
  },
});
