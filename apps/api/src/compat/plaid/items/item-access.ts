import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../http/request-state.js';
import { FindItem, type Item } from '../../../items/find-item.js';
import { PlaidError } from '../errors/plaid-error.js';

/** The steps "token" and "Item removed" of plaid-compat 1.2. */
@Injectable()
export class ItemAccess {
  constructor(private readonly items: FindItem) {}

  /** @throws PlaidError */
  async find(caller: Caller, accessToken: string): Promise<Item> {
    const item = await this.items.find(caller, accessToken);
    if (item === null) throw new PlaidError('INVALID_ACCESS_TOKEN');
    if (item.link.state === 'deleted') throw new PlaidError('ITEM_NOT_FOUND');
    return item;
  }
}
