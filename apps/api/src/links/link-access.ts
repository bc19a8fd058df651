import { Injectable } from '@nestjs/common';
import { ApiError, badState } from '../../../../domain/errors/api-errors.js';
import type { Tenant } from '../../../../domain/api/environment.js';
import type { Product } from '../../../../domain/link/products.js';
import type { LinkView } from '../../../../prisma/links/link/link-view.js';
import { LinkRepository } from '../../../../prisma/links/link/link.repository.js';
import { isReadable } from './readable.js';

/** Steps 7 to 11 of native-api 1.3, which require the link itself. */
@Injectable()
export class LinkAccess {
  constructor(private readonly links: LinkRepository) {}

  /**
   * Steps 7 and 8: the link exists and belongs to the caller. A deleted link counts for 90 days.
   */
  async find(tenant: Tenant, linkId: string): Promise<LinkView> {
    return this.found(tenant, linkId, await this.links.get(tenant, linkId));
  }

  private async found(tenant: Tenant, linkId: string, link: LinkView | null): Promise<LinkView> {
    if (link !== null) return link;
    const ownership = await this.links.linkOwnership(tenant, linkId);
    throw new ApiError(
      ownership === 'foreign' ? 'link_error.unauthorized_access' : 'link_error.not_found',
    );
  }

  /** Up to step 9: the link is also not deleted. */
  async findLiving(tenant: Tenant, linkId: string): Promise<LinkView> {
    return living(await this.find(tenant, linkId));
  }

  /**
   * Up to step 11: the product is granted, and the state allows reading it (link-lifecycle 6.5,
   * 6.6).
   */
  async findReadable(tenant: Tenant, linkId: string, product: Product): Promise<LinkView> {
    return this.admitToRead(tenant, linkId, await this.links.get(tenant, linkId), product);
  }

  /** The same for a link already read; null = the tenant does not have the link. */
  async admitToRead(
    tenant: Tenant,
    linkId: string,
    found: LinkView | null,
    product: Product,
  ): Promise<LinkView> {
    const link = living(await this.found(tenant, linkId, found));
    const granted = link.products.find((status) => status.product === product);
    if (granted === undefined)
      throw new ApiError('link_error.forbidden_action', {
        message: `The product ${product} is not granted on this link.`,
      });
    if (!isReadable(link, granted)) throw badState({ state: link.state, error: link.errorCode });
    return link;
  }
}

function living(link: LinkView): LinkView {
  if (link.state === 'deleted') throw new ApiError('link_error.deleted');
  return link;
}
