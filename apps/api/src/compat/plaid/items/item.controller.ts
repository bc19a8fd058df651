import { Controller } from '@nestjs/common';
import type { Caller } from '../../../http/request-state.js';
import { CurrentCaller } from '../../../http/route.js';
import type { Item } from '../../../items/find-item.js';
import { ItemTokens } from '../../../items/item-tokens.js';
import { ChangeLink } from '../../../links/change-link.js';
import { PlaidError } from '../errors/plaid-error.js';
import { CurrentItem, PlaidBody, PlaidRoute } from '../transport/plaid-route.js';
import { ExchangeRequest, ItemRequest, RemoveItemRequest, type ExchangeBody, type ItemBody } from './item.requests.js';

/** Source: plaid-compat 6 and 7. */
@Controller()
export class ItemController {
  constructor(private readonly tokens: ItemTokens, private readonly changes: ChangeLink) {}

  @PlaidRoute({ path: '/item/public_token/exchange', request: ExchangeRequest })
  async exchange(@CurrentCaller() caller: Caller, @PlaidBody() { public_token: token }: ExchangeBody) {
    const exchanged = await this.tokens.exchange(caller, token);
    if (exchanged === null) throw new PlaidError('INVALID_PUBLIC_TOKEN');
    return { access_token: exchanged.accessToken, item_id: exchanged.linkId };
  }

  @PlaidRoute({ path: '/item/remove', request: RemoveItemRequest, item: true })
  async remove(@CurrentCaller() caller: Caller, @CurrentItem() { link }: Item): Promise<void> {
    await this.changes.disconnect(caller, link.linkId);
  }

  @PlaidRoute({ path: '/item/access_token/invalidate', request: ItemRequest, item: true })
  async replaceToken(@CurrentCaller() caller: Caller, @PlaidBody() { access_token: token }: ItemBody) {
    const replacement = await this.tokens.replace(caller, token);
    if (replacement === null) throw new PlaidError('INVALID_ACCESS_TOKEN');
    return { new_access_token: replacement };
  }
}
