import { Controller } from '@nestjs/common';
import type { Caller } from '../../http/request-state.js';
import { CurrentCaller } from '../../http/route.js';
import type { Item } from '../access/item-access.js';
import { PlaidWebhookKeys } from '../../../../../prisma/views/plaid/plaid-webhook-keys.js';
import { PlaidError } from '../errors/plaid-error.js';
import { CurrentItem, PlaidBody, PlaidRoute } from '../transport/plaid-route.js';
import { FireWebhook } from './fire-webhook.js';
import {
  FireWebhookRequest,
  GetVerificationKeyRequest,
  type FireWebhookBody,
  type GetVerificationKeyBody,
} from './webhook.requests.js';

/** Source: plaid-compat 7, 8.2. */
@Controller()
export class PlaidWebhookController {
  constructor(
    private readonly keys: PlaidWebhookKeys,
    private readonly webhooks: FireWebhook,
  ) {}

  @PlaidRoute({
    path: '/webhook_verification_key/get',
    reads: { by: 'object' },
    scope: null,
    request: GetVerificationKeyRequest,
  })
  async key(
    @CurrentCaller() { environment }: Caller,
    @PlaidBody() { key_id: keyId }: GetVerificationKeyBody,
  ) {
    const found = await this.keys.find(environment, keyId);
    if (found === null) throw new PlaidError('INVALID_WEBHOOK_VERIFICATION_KEY_ID');
    const {
      published: { alg, crv, kid, kty, use, x, y },
      createdAt,
      expiredAt,
    } = found;
    return {
      key: {
        alg,
        crv,
        kid,
        kty,
        use,
        x,
        y,
        created_at: seconds(createdAt),
        expired_at: expiredAt === null ? null : seconds(expiredAt),
      },
    };
  }

  @PlaidRoute({
    path: '/sandbox/item/fire_webhook',
    reads: null,
    scope: 'sandbox:write',
    request: FireWebhookRequest,
    item: true,
  })
  async fire(
    @CurrentCaller() caller: Caller,
    @CurrentItem() item: Item,
    @PlaidBody() body: FireWebhookBody,
  ) {
    await this.webhooks.fire(caller, item, body);
    return { webhook_fired: true };
  }
}

function seconds(instant: Date): number {
  return Math.floor(instant.getTime() / 1000);
}
