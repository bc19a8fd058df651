import { Controller, Inject, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import { keptHeaders } from '../../../../domain/provider-webhooks/kept-headers.js';
import { ProviderWebhookInbox } from '../../../../prisma/work/provider-webhooks/provider-webhook-inbox.js';
import { CONFIGURATION_NAME } from '../../../../prisma/work/providers/provider-configuration.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { stateOf } from '../http/request-state.js';
import { Route } from '../http/route.js';
import { TokenBuckets } from '../../../platform/src/limits/token-buckets.js';
import { providerWebhookDocs } from './provider-webhook.docs.js';

/**
 * Receives webhooks of sources in any format. Sources wait for the response, so it is sent as soon as
 * the webhook is stored. An unknown or disabled configuration and a wrong key get the same response.
 */
@Controller()
export class ProviderWebhookController {
  private readonly buckets: TokenBuckets;

  constructor(
    @Inject(SETTINGS) settings: ApiSettings,
    private readonly inbox: ProviderWebhookInbox,
  ) {
    this.buckets = new TokenBuckets(settings.rateLimitProviderWebhooks);
  }

  @Route('POST /provider-webhooks/:source/:key', {
    docs: providerWebhookDocs.receive,
    auth: 'handler',
    family: 'operator',
    body: 'raw',
  })
  async receive(
    @Param('source') name: string,
    @Param('key') key: string,
    @Req() request: Request,
  ): Promise<void> {
    const { anonymous, rawBody: body } = stateOf(request);
    const sender = await anonymous.authenticate(`${name}/${key}`, async () =>
      CONFIGURATION_NAME.test(name) ? this.inbox.sender(name, key) : null,
    );
    if (sender === null) throw new ApiError('api_error.request.not_found');
    // Only senders with the key use up the limit.
    const wait = this.buckets.take(name);
    if (wait > 0) throw new ApiError('api_error.rate_limit_exceeded', { retryAfterSeconds: wait });
    await this.inbox.receive(sender, { headers: keptHeaders(request.headers), body });
  }
}
