import { Controller } from '@nestjs/common';
import type { Caller } from '../../http/request-state.js';
import { CurrentCaller } from '../../http/route.js';
import type { Item } from '../access/item-access.js';
import { ItemRequest } from '../items/item.requests.js';
import { RefreshItem } from '../items/refresh-item.js';
import { CurrentItem, PlaidRoute } from '../transport/plaid-route.js';

/** Source: plaid-compat 6, operation 8. */
@Controller()
export class PlaidRefreshController {
  constructor(private readonly refresh: RefreshItem) {}

  @PlaidRoute({
    path: '/transactions/refresh',
    reads: null,
    scope: 'products:refresh',
    request: ItemRequest,
    item: true,
  })
  async begin(@CurrentCaller() caller: Caller, @CurrentItem() item: Item): Promise<void> {
    await this.refresh.begin(caller, item, 'transactions');
  }
}
