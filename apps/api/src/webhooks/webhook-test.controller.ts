import { Controller, Param } from '@nestjs/common';
import { z } from 'zod';
import { EVENT_NAMES } from '../../../../domain/webhooks/webhook-bodies.js';
import { text } from '../schemas/text.schema.js';
import type { Caller } from '../http/request-state.js';
import { CurrentCaller, Input, Route, type InputOf } from '../http/route.js';
import { webhookTestDocs } from './webhook-test.docs.js';
import { SendTestEvent } from './send-test-event.js';

/** Names for generators, which would else name constants as the models of the webhooks. */
const EVENT_CONSTANTS = [...EVENT_NAMES, 'product.state_changed'].map((name) =>
  `Test_${name}`.replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()),
);

export const TestWebhook = {
  body: z
    .object({
      // native-api 4.10: product.state_changed is an alias.
      webhook_event: z
        .enum([...EVENT_NAMES, 'product.state_changed'])
        .meta({
          id: 'TestWebhookEvent',
          'x-enum-varnames': EVENT_CONSTANTS,
          description:
            'An event; `product.state_changed` is another name of `link.product_refresh`.',
        })
        .transform((name) => (name === 'product.state_changed' ? 'link.product_refresh' : name))
        .describe('The event to send.'),
      webhook_idempotency_key: text(1, 255).describe('The key that the webhook is to carry.'),
    })
    .meta({ id: 'TestWebhookRequest' }),
};

/** Sources: native-api 3.8, webhooks 10. */
@Controller()
export class WebhookTestController {
  constructor(private readonly events: SendTestEvent) {}

  @Route('POST /webhooks/test/link/:id', {
    docs: webhookTestDocs.test,
    scope: 'webhooks:test',
    input: TestWebhook,
  })
  async test(
    @CurrentCaller() caller: Caller,
    @Param('id') linkId: string,
    @Input() { body }: InputOf<typeof TestWebhook>,
  ) {
    return {
      delivery_token: await this.events.send(caller, linkId, {
        webhookEvent: body.webhook_event,
        idempotencyKey: body.webhook_idempotency_key,
      }),
    };
  }
}
