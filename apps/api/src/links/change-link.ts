import { TransitionRefused } from '../../../../domain/errors/change-refused.js';
import { Injectable } from '@nestjs/common';
import { ApiError, badState } from '../../../../domain/errors/api-errors.js';
import type { Tenant } from '../../../../domain/api/environment.js';
import type { LinkView } from '../../../../prisma/links/link/link-view.js';
import { LinkRepository } from '../../../../prisma/links/link/link.repository.js';
import { LinkAccess } from './link-access.js';
import type { UpdateLinkBody } from './update-link.requests.js';

/** Changes an app may make to a link. Concurrent changes are ordered by the row lock. */
@Injectable()
export class ChangeLink {
  constructor(
    private readonly links: LinkRepository,
    private readonly access: LinkAccess,
  ) {}

  /** native-api 3.4: in every state but `deleted`. @throws ApiError */
  async update(tenant: Tenant, linkId: string, changes: UpdateLinkBody): Promise<LinkView> {
    await this.access.findLiving(tenant, linkId);
    if (!(await this.links.update(tenant, linkId, changes)))
      throw new ApiError('link_error.deleted');
    return this.access.find(tenant, linkId);
  }

  /** link-lifecycle 10. @throws ApiError */
  async reset(tenant: Tenant, linkId: string): Promise<LinkView> {
    const link = await this.access.findLiving(tenant, linkId);
    if (tenant.environment !== 'sandbox')
      throw new ApiError('link_error.forbidden_action', {
        message: 'Only a Sandbox link can be reset.',
      });
    await this.unlessRefused(tenant, link, () => this.links.reset(tenant, link.linkId));
    return this.access.find(tenant, linkId);
  }

  /** link-lifecycle 9. @throws ApiError */
  async disconnect(tenant: Tenant, linkId: string): Promise<void> {
    const link = await this.access.findLiving(tenant, linkId);
    await this.unlessRefused(tenant, link, () => this.links.delete(tenant, link.linkId));
  }

  /** The state table decides, because the link may have changed since it was read. */
  private async unlessRefused(
    tenant: Tenant,
    { linkId }: LinkView,
    change: () => Promise<void>,
  ): Promise<void> {
    try {
      await change();
    } catch (error) {
      if (!(error instanceof TransitionRefused)) throw error;
      const { state, errorCode } = await this.access.findLiving(tenant, linkId);
      throw badState({ state, error: errorCode });
    }
  }
}
