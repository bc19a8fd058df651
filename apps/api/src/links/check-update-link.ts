import { Inject, Injectable } from '@nestjs/common';
import { validationFailed } from '../../../../domain/errors/api-errors.js';
import { checkWebhookUrl } from '../../../platform/src/addresses/check-webhook-url.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import type { Caller } from '../http/request-state.js';
import type { InputOf, RequestCheck } from '../http/route.js';
import type { UpdateLinkRequest } from './update-link.requests.js';

/** webhooks 7: the allowed webhook addresses depend on the environment. */
@Injectable()
export class CheckUpdateLink implements RequestCheck {
  constructor(@Inject(SETTINGS) private readonly settings: ApiSettings) {}

  /** @throws ApiError */
  check({ environment }: Caller, input: unknown): void {
    const { webhook } = (input as InputOf<typeof UpdateLinkRequest>).body;
    const issue =
      typeof webhook === 'string' ? checkWebhookUrl(webhook, environment, this.settings) : null;
    if (issue !== null) throw validationFailed([issue]);
  }
}
