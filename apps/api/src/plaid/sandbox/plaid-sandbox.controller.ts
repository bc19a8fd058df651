import { Controller } from '@nestjs/common';
import { ApiError } from '../../../../../domain/errors/api-errors.js';
import type { Caller } from '../../http/request-state.js';
import { CurrentCaller } from '../../http/route.js';
import type { Item } from '../access/item-access.js';
import { ChangeLink } from '../../links/change-link.js';
import { refuseByState } from '../access/item-gate.js';
import { ItemRequest } from '../items/item.requests.js';
import { CurrentItem, IgnoresUnoffered, PlaidBody, PlaidRoute } from '../transport/plaid-route.js';
import { CreatePublicToken } from './create-public-token.js';
import { CreateTransactions } from './create-transactions.js';
import {
  CreatePublicTokenRequest,
  CreateTransactionsRequest,
  type CreatePublicTokenBody,
  type CreateTransactionsBody,
} from './sandbox.requests.js';

/** Source: plaid-compat 7. */
@Controller()
export class PlaidSandboxController {
  constructor(
    private readonly tokens: CreatePublicToken,
    private readonly transactions: CreateTransactions,
    private readonly changes: ChangeLink,
  ) {}

  @PlaidRoute({
    path: '/sandbox/public_token/create',
    reads: null,
    scope: 'sandbox:write',
    request: CreatePublicTokenRequest,
  })
  async createPublicToken(
    @CurrentCaller() caller: Caller,
    @PlaidBody() body: CreatePublicTokenBody,
    @IgnoresUnoffered() ignoresUnoffered: boolean,
  ) {
    return { public_token: await this.tokens.create(caller, body, ignoresUnoffered) };
  }

  @PlaidRoute({
    path: '/sandbox/item/reset_login',
    reads: null,
    scope: 'sandbox:write',
    request: ItemRequest,
    item: true,
  })
  async resetLogin(@CurrentCaller() caller: Caller, @CurrentItem() item: Item) {
    // An Item that already waits for its account owner stays as it is.
    if (item.link.errorCode !== 'auth_expired') await this.reset(caller, item);
    return { reset_login: true };
  }

  @PlaidRoute({
    path: '/sandbox/transactions/create',
    reads: null,
    scope: 'sandbox:write',
    request: CreateTransactionsRequest,
    item: true,
  })
  async createTransactions(
    @CurrentCaller() caller: Caller,
    @CurrentItem() item: Item,
    @PlaidBody() body: CreateTransactionsBody,
  ): Promise<void> {
    await this.transactions.create(caller, item, body);
  }

  private async reset(caller: Caller, item: Item): Promise<void> {
    try {
      await this.changes.reset(caller, item.link.linkId);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'link_error.bad_state')
        refuseByState(item, 'live');
      throw error;
    }
  }
}
