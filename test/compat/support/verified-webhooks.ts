import { addressRanges } from '../../../apps/platform/src/config/setting-parsers.js';
import { createLogger } from '../../../apps/platform/src/logging/logger.js';
import { createSender, type Sender } from '../../../apps/webhooks/src/create-sender.js';
import {
  createWebhookVerifier,
  type VerifyPlaidWebhook,
} from '../../../examples/plaid-app/verify-webhook.mjs';
import { plaidServiceOfFile, type PlaidService } from '../../support/fixtures/plaid-service.js';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';

export const MINUTE_MS = 60_000;
export let service: PlaidService;

export let receiver: WebhookReceiver;
let sender: Sender | undefined;
export let verify: VerifyPlaidWebhook;

/** Starts the API, a receiver of webhooks, and their verification by the official client. */
export function startVerifiedWebhooks(): void {
  service = plaidServiceOfFile({
    RATE_LIMIT_COMPAT: 'off',
    WEBHOOK_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8',
  });

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    receiver.respondWith({ status: 200 });
    sender = createSender({
      ctx: service.api.ctx,
      settings: {
        baseUrl: service.api.api.baseUrl,
        headerPrefix: 'service',
        webhookTimeout: 5_000,
        webhookAttemptsAt: [0],
        compatWebhookAttemptsAt: [0],
        webhookAttemptsPerApp: 200,
        webhookRetryStarts: 50,
        webhookRetryStartsPerEndpoint: 20,
        webhookAllowedPrivateRanges: addressRanges('127.0.0.0/8'),
        webhookRefusedRanges: [],
      },
      logger: createLogger({ name: 'test', level: 'silent', format: 'json' }),
      chance: Math.random,
    });
    sender.relay.start();
    verify = createWebhookVerifier(service.plaid);
  });

  afterAll(async () => {
    await sender?.relay.stop(0);
    await sender?.close();
    await receiver?.stop();
  });
}
