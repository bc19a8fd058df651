import { z } from 'zod';
import type { JsonSchema } from '../json-schema.js';
import { WEBHOOKS } from './webhook.model.js';

/**
 * The body of a stored event: that of a known webhook, or any object. It is not a union, because generators disagree
 * on one with an open member. Source: decision 0059.
 */
export const webhookEventBody = z.looseObject({}).meta({
  id: 'WebhookEventBody',
  openapi: { type: 'object', additionalProperties: {}, ...bodiesByName() },
  description:
    'The body that is sent. For a webhook of this document it has the schema of that webhook. Accept any object for another: later events, and those of the Plaid-compatible layer, here without their tokens.',
});

/** `if` the name is that of a webhook, `then` its body, `else` the next one. Source: JSON Schema 2020-12, core 10.2.2. */
function bodiesByName(): JsonSchema {
  return Object.entries(WEBHOOKS).reduceRight<JsonSchema>(
    (otherwise, [name, { body }]) => ({
      if: { properties: { webhook_event: { const: name } }, required: ['webhook_event'] },
      then: { $ref: `#/components/schemas/${z.globalRegistry.get(body)?.id}` },
      ...(Object.keys(otherwise).length === 0 ? {} : { else: otherwise }),
    }),
    {},
  );
}
