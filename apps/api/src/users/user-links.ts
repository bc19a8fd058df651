import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../../domain/api/environment.js';
import type { Product } from '../../../../domain/link/products.js';
import type { LinkView } from '../../../../prisma/links/link-view.js';
import {
  UserDataRepository,
  type UserLinksQuery,
} from '../../../../prisma/users/user-data.repository.js';
import { nextLinkCursor, readLinkCursor } from './user-links-cursor.js';
import { isReadable } from '../links/readable.js';

/**
 * The links of a customer user. Links that do not allow a read are omitted without an error.
 * Source: native-api 3.7.
 */
@Injectable()
export class UserLinks {
  constructor(private readonly users: UserDataRepository) {}

  /** All of them, oldest first, in any state but deleted. */
  async all(tenant: Tenant, userId: string): Promise<LinkView[]> {
    return (await this.users.links(tenant, userId)).links;
  }

  /** @throws ApiError */
  async page(
    tenant: Tenant,
    userId: string,
    { cursor, limit, institution_ids: institutionIds }: PageRequest,
  ): Promise<LinkPage> {
    const page = await this.users.links(tenant, userId, {
      institutionIds,
      after: readLinkCursor(cursor),
      limit,
    });
    return { links: page.links, nextCursor: nextLinkCursor(page) };
  }

  /**
   * Those whose state and granted products allow reading a product (link-lifecycle 6.6), at the
   * given institutions; missing = any.
   */
  async readable(
    tenant: Tenant,
    userId: string,
    product: Product,
    institutionIds: UserLinksQuery['institutionIds'],
  ): Promise<LinkView[]> {
    const { links } = await this.users.links(tenant, userId, { institutionIds });
    return readableOf(links, product);
  }

  /**
   * The same for one page, which may therefore contain fewer links than requested. @throws ApiError
   */
  async readablePage(
    tenant: Tenant,
    userId: string,
    product: Product,
    request: PageRequest,
  ): Promise<LinkPage> {
    const { links, nextCursor } = await this.page(tenant, userId, request);
    return { links: readableOf(links, product), nextCursor };
  }
}

interface PageRequest {
  cursor?: string | undefined;
  limit: number;
  institution_ids?: readonly string[] | undefined;
}

interface LinkPage {
  links: LinkView[];
  nextCursor: string;
}

function readableOf(links: readonly LinkView[], product: Product): LinkView[] {
  return links.filter((link) => {
    const granted = link.products.find((status) => status.product === product);
    return granted !== undefined && isReadable(link, granted);
  });
}
