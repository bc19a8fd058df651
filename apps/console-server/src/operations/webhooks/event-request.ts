import { hash } from 'node:crypto';
import { z } from 'zod';
import { readRequest } from '../../../../../prisma/announcements/webhook-log/stored-request.js';
import { SigningKeys } from '../../../../../prisma/base/keys/signing-key.repository.js';
import { addressOf } from '../../../../../prisma/operations/standing/app-endpoints.js';
import { PlaidWebhookKeys } from '../../../../../prisma/views/plaid/plaid-webhook-keys.js';
import { createEnvelopes } from '../../../../platform/src/envelopes/webhook-envelope.js';
import { APP_INPUT, id, tenantOf } from '../app-input.js';
import { unknown } from '../not-found.js';
import { operation } from '../operation.js';
import type { EventRequest } from './webhook-answers.js';

export const EVENT_REQUEST = operation({
  call: 'GET /apps/:app/:env/events/:event_id/request',
  roles: ['operator', 'app'],
  level: 'read',
  input: z.object({ ...APP_INPUT, event_id: id }),
  run: async ({ service, now }, { event_id: eventId, ...app }): Promise<EventRequest> => {
    const { context, database, settings } = service;
    const stored = await readRequest(database, tenantOf(app), eventId);
    if (stored === null) throw unknown('webhook_error.not_found');
    const { format, body, bodySha256, url, ...delivery } = stored;
    const envelopes = createEnvelopes({
      issuer: settings.baseUrl,
      headerPrefix: settings.headerPrefix,
      keys: new SigningKeys(context),
      plaidKeys: new PlaidWebhookKeys(context),
    });
    return {
      event_id: eventId,
      url: url === null ? null : addressOf(url),
      method: 'POST',
      // By their digest: tokens in them stay sealed.
      headers: await envelopes[format](delivery, { sha256: bodySha256 }, now()),
      body,
      body_sha256: bodySha256,
      hides_tokens: hash('sha256', body, 'hex') !== bodySha256,
    };
  },
});
