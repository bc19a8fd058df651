import { Injectable } from '@nestjs/common';
import type { Caller } from '../../http/request-state.js';
import { FindItem, type Item } from './find-item.js';
import { PlaidError } from '../errors/plaid-error.js';

/** The step "token" of plaid-compat 1.2. */
@Injectable()
export class ItemAccess {
  constructor(private readonly items: FindItem) {}

  /** The Item may be removed. @throws PlaidError */
  async find(caller: Caller, accessToken: string): Promise<Item> {
    const item = await this.items.find(caller, accessToken);
    if (item === null) throw new PlaidError('INVALID_ACCESS_TOKEN');
    return item;
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
