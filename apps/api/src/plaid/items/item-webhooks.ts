import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../../../domain/errors/api-errors.js';
import type { Tenant } from '../../../../../domain/api/environment.js';
import type { ItemWebhook } from '../../../../../domain/plaid/webhooks.js';
import { ItemWebhookRepository } from '../../../../../prisma/plaid/item-webhook.repository.js';
import type { LinkView } from '../../../../../prisma/links/link-view.js';
import { LinkAccess } from '../../links/link-access.js';

/** Where an Item is told of, and tellings without a cause. */
@Injectable()
export class ItemWebhooks {
  constructor(
    private readonly webhooks: ItemWebhookRepository,
    private readonly access: LinkAccess,
  ) {}

  /** Null = nowhere from now on. @throws ApiError */
  async updateAddress(tenant: Tenant, linkId: string, address: string | null): Promise<LinkView> {
    if (!(await this.webhooks.updateAddress(tenant, linkId, address)))
      throw new ApiError('link_error.deleted');
    return this.access.find(tenant, linkId);
  }

  /** False when there is no address it could go to. */
  fire(tenant: Tenant, linkId: string, webhook: ItemWebhook): Promise<boolean> {
    return this.webhooks.fire(tenant, linkId, webhook);
  }
}
