import { Injectable } from '@nestjs/common';
import { isItemToken } from '../../../../../domain/plaid/item-token-format.js';
import type { LinkView } from '../../../../../prisma/links/link/link-view.js';
import { LinkRepository } from '../../../../../prisma/links/link/link.repository.js';
import {
  ItemRepository,
  type ItemFacts,
} from '../../../../../prisma/views/plaid/item.repository.js';
import type { Caller } from '../../http/request-state.js';
import { PlaidError } from '../errors/plaid-error.js';

/** A link with the facts that only this layer shows. */
export interface Item extends Omit<ItemFacts, 'linkId'> {
  /** May be deleted. */
  link: LinkView;
}

/** The step "token" of plaid-compat 1.2. */
@Injectable()
export class ItemAccess {
  constructor(
    private readonly items: ItemRepository,
    private readonly links: LinkRepository,
  ) {}

  /**
   * The Item of an access token; it may be removed. An unknown or revoked token, and one of another
   * tenant, have the same error (plaid-compat 2). @throws PlaidError
   */
  async find(caller: Caller, accessToken: string): Promise<Item> {
    const facts = isItemToken(accessToken, 'access', caller.environment)
      ? await this.items.findByToken(caller, accessToken)
      : null;
    const link = facts === null ? null : await this.links.get(caller, facts.linkId);
    if (facts === null || link === null) throw new PlaidError('INVALID_ACCESS_TOKEN');
    const { linkId: _, ...others } = facts;
    return { ...others, link };
  }

  /** @throws PlaidError */
  async findLiving(caller: Caller, accessToken: string): Promise<Item> {
    const item = await this.find(caller, accessToken);
    refuseRemoved(item);
    return item;
  }
}

/** The step "Item removed". @throws PlaidError */
export function refuseRemoved({ link }: Item): void {
  if (link.state === 'deleted') throw new PlaidError('ITEM_NOT_FOUND');
}
