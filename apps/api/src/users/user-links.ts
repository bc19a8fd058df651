import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../../domain/environment.js';
import type { Product } from '../../../../domain/products.js';
import type { LinkView } from '../../../../prisma/repositories/link-view.js';
import { UserDataRepository } from '../../../../prisma/repositories/user-data.repository.js';
import { isReadable } from '../links/readable.js';

/** The links of a customer user. Those that forbid a read are left out silently. Source: native-api 3.7. */
@Injectable()
export class UserLinks {
  constructor(private readonly users: UserDataRepository) {}

  all(tenant: Tenant, userId: string): Promise<LinkView[]> {
    return this.users.links(tenant, userId);
  }

  /** Those whose state and products allow to read a product (link-lifecycle 6.6), at these institutions; missing = any. */
  async readable(tenant: Tenant, userId: string, product: Product, institutionIds?: readonly string[]): Promise<LinkView[]> {
    const links = await this.users.links(tenant, userId);
    return links.filter((link) => {
      const granted = link.products.find((status) => status.product === product);
      return granted !== undefined && isReadable(link, granted) && (institutionIds?.includes(link.institutionId) ?? true);
    });
  }
}
