import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import {
  WebhookTestRepository,
  type TestEvent,
} from '../../../../prisma/links/link/webhook-test.repository.js';
import type { Caller } from '../http/request-state.js';
import { LinkAccess } from '../links/link-access.js';

/** Triggers a webhook for a Sandbox link. Sources: native-api 3.8, webhooks 10. */
@Injectable()
export class SendTestEvent {
  constructor(
    private readonly access: LinkAccess,
    private readonly tests: WebhookTestRepository,
  ) {}

  /** @returns the delivery token. @throws ApiError */
  async send(caller: Caller, linkId: string, event: TestEvent): Promise<string> {
    await this.access.findLiving(caller, linkId);
    if (caller.environment !== 'sandbox')
      throw new ApiError('link_error.bad_config', {
        message: 'Test events are for Sandbox links.',
      });
    const outcome = await this.tests.record(caller, linkId, event);
    switch (outcome.kind) {
      case 'sent':
        return outcome.deliveryId;
      case 'noAddress':
        throw new ApiError('link_error.bad_config', {
          message: 'The link has no webhook address, or its address is disabled.',
        });
      // Deleted after the access check.
      case 'deleted':
        throw new ApiError('link_error.deleted');
      case 'unknown':
        throw new ApiError('link_error.not_found');
    }
  }
}
