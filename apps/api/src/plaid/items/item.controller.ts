import { Controller, Inject } from '@nestjs/common';
import { checkWebhookUrl } from '../../../../platform/src/addresses/check-webhook-url.js';
import { SETTINGS } from '../../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../../platform/src/config/settings.js';
import type { Caller } from '../../http/request-state.js';
import { CurrentCaller } from '../../http/route.js';
import type { Item } from '../access/item-access.js';
import { ItemWebhookRepository } from '../../../../../prisma/views/plaid/item-webhook.repository.js';
import { ItemRepository } from '../../../../../prisma/views/plaid/item.repository.js';
import { LinkAccess } from '../../links/link-access.js';
import { ChangeLink } from '../../links/change-link.js';
import { invalidField, PlaidError } from '../errors/plaid-error.js';
import { CurrentItem, PlaidBody, PlaidRoute } from '../transport/plaid-route.js';
import { ItemPresenter } from './item-presenter.js';
import {
  ExchangeRequest,
  ItemRequest,
  RemoveItemRequest,
  UpdateWebhookRequest,
  type ExchangeBody,
  type ItemBody,
  type UpdateWebhookBody,
} from './item.requests.js';

/** Source: plaid-compat 6 and 7. */
@Controller()
export class ItemController {
  constructor(
    private readonly items: ItemRepository,
    private readonly links: LinkAccess,
    private readonly changes: ChangeLink,
    private readonly webhooks: ItemWebhookRepository,
    private readonly presenter: ItemPresenter,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  @PlaidRoute({
    path: '/item/get',
    reads: { by: 'object' },
    scope: 'links:read',
    request: ItemRequest,
    item: true,
  })
  show(@CurrentItem() item: Item) {
    return { item: this.presenter.whole(item), status: this.presenter.status(item) };
  }

  @PlaidRoute({
    path: '/item/webhook/update',
    reads: null,
    scope: 'links:write',
    request: UpdateWebhookRequest,
    item: true,
  })
  async updateWebhook(
    @CurrentCaller() caller: Caller,
    @CurrentItem() item: Item,
    @PlaidBody() { webhook }: UpdateWebhookBody,
  ) {
    const problem =
      webhook === undefined ? null : checkWebhookUrl(webhook, caller.environment, this.settings);
    if (problem !== null) throw invalidField(`webhook: ${problem.message}`);
    const { linkId } = item.link;
    if (!(await this.webhooks.updateAddress(caller, linkId, webhook ?? null)))
      throw new PlaidError('ITEM_CONCURRENTLY_DELETED');
    const link = await this.links.find(caller, linkId);
    return { item: this.presenter.whole({ ...item, link }) };
  }

  @PlaidRoute({
    path: '/item/public_token/exchange',
    reads: null,
    scope: 'link_session:write',
    request: ExchangeRequest,
  })
  async exchange(
    @CurrentCaller() caller: Caller,
    @PlaidBody() { public_token: token }: ExchangeBody,
  ) {
    const exchanged = await this.items.exchange(caller, token);
    if (exchanged === null) throw new PlaidError('INVALID_PUBLIC_TOKEN');
    return { access_token: exchanged.accessToken, item_id: exchanged.linkId };
  }

  @PlaidRoute({
    path: '/item/remove',
    reads: null,
    scope: 'links:write',
    request: RemoveItemRequest,
    item: true,
  })
  async remove(@CurrentCaller() caller: Caller, @CurrentItem() { link }: Item): Promise<void> {
    await this.changes.disconnect(caller, link.linkId);
  }

  @PlaidRoute({
    path: '/item/access_token/invalidate',
    reads: null,
    scope: 'links:write',
    request: ItemRequest,
    item: true,
  })
  async replaceToken(
    @CurrentCaller() caller: Caller,
    @PlaidBody() { access_token: token }: ItemBody,
  ) {
    const replacement = await this.items.replaceToken(caller, token);
    if (replacement === null) throw new PlaidError('INVALID_ACCESS_TOKEN');
    return { new_access_token: replacement };
  }
}
