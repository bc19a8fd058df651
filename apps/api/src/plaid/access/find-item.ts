import { Injectable } from '@nestjs/common';
import { isItemToken } from '../../../../../domain/plaid/item-token-format.js';
import type { Tenant } from '../../../../../domain/api/environment.js';
import { ItemRepository, type ItemFacts } from '../../../../../prisma/plaid/item.repository.js';
import type { LinkView } from '../../../../../prisma/links/link-view.js';
import { LinkRepository } from '../../../../../prisma/links/link.repository.js';

/** A link with the facts that only this layer shows. */
export interface Item extends Omit<ItemFacts, 'linkId'> {
  /** May be deleted. */
  link: LinkView;
}

/** Finds the link of an access token. */
@Injectable()
export class FindItem {
  constructor(
    private readonly items: ItemRepository,
    private readonly links: LinkRepository,
  ) {}

  /** Null for an unknown or revoked token, and for one of another tenant. Source: plaid-compat 2. */
  async find(tenant: Tenant, token: string): Promise<Item | null> {
    const facts = isItemToken(token, 'access', tenant.environment)
      ? await this.items.findByToken(tenant, token)
      : null;
    if (facts === null) return null;
    const { linkId, ...others } = facts;
    const link = await this.links.get(tenant, linkId);
    return link === null ? null : { ...others, link };
  }
}
