import { Inject, Injectable } from '@nestjs/common';
import type { ValidationIssue } from '../../../../domain/errors/api-errors.js';
import { checkWebhookUrl } from '../../../platform/src/addresses/check-webhook-url.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import type { Caller } from '../http/request-state.js';
import type { InputOf, ShapeCheck } from '../http/route.js';
import type { UpdateLinkRequest } from './update-link.requests.js';

/** webhooks 7: the allowed webhook addresses depend on the environment. */
@Injectable()
export class CheckUpdateLink implements ShapeCheck {
  constructor(@Inject(SETTINGS) private readonly settings: ApiSettings) {}

  issuesOf({ environment }: Caller, input: unknown): ValidationIssue[] {
    const { webhook } = (input as InputOf<typeof UpdateLinkRequest>).body;
    const issue =
      typeof webhook === 'string' ? checkWebhookUrl(webhook, environment, this.settings) : null;
    return issue === null ? [] : [issue];
  }
}
