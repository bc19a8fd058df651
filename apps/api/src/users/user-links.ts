import { Injectable } from '@nestjs/common';
import { invalid, validationFailed } from '../../../../domain/errors/api-errors.js';
import type { Tenant } from '../../../../domain/api/environment.js';
import type { Product } from '../../../../domain/link/products.js';
import { CursorKeys } from '../../../../prisma/base/keys/cursor-key.repository.js';
import type { LinkView } from '../../../../prisma/links/link/link-view.js';
import {
  UserDataRepository,
  type UserLinksQuery,
} from '../../../../prisma/views/users/user-data.repository.js';
import { nextLinkCursor, readLinkCursor } from './user-links-cursor.js';
import { reads } from '../links/readable.js';

/** Far more than a person has. */
const MAX_LINKS_AT_ONCE = 1_000;
const TOO_MANY_LINKS = 'The user has more than 1,000 links there: name fewer institutions.';

/**
 * The links of a customer user. Links that do not allow a read are omitted without an error.
 * Source: native-api 3.7.
 */
@Injectable()
export class UserLinks {
  constructor(
    private readonly users: UserDataRepository,
    private readonly keys: CursorKeys,
  ) {}

  /** @throws ApiError */
  async page(tenant: Tenant, userId: string, { cursor, limit }: PageRequest): Promise<LinkPage> {
    const lists = { keys: this.keys, tenant, userId };
    const page = await this.users.links(tenant, userId, {
      after: readLinkCursor(lists, cursor)?.linkPk,
      limit,
    });
    return { links: page.links, nextCursor: nextLinkCursor(lists, page) };
  }

  /**
   * Those whose state and granted products allow reading a product (link-lifecycle 6.6), at the
   * given institutions; missing = any. @throws ApiError when there are too many to read them together
   */
  async readable(
    tenant: Tenant,
    userId: string,
    product: Product,
    institutionIds: UserLinksQuery['institutionIds'],
  ): Promise<LinkView[]> {
    const { links, hasMore } = await this.users.links(tenant, userId, {
      institutionIds,
      limit: MAX_LINKS_AT_ONCE,
    });
    if (hasMore) throw validationFailed([invalid(['query', 'institution_id'], TOO_MANY_LINKS)]);
    return links.filter((link) => reads(link, product));
  }
}

interface PageRequest {
  cursor?: string | undefined;
  limit: number;
}

interface LinkPage {
  links: LinkView[];
  nextCursor: string;
}
