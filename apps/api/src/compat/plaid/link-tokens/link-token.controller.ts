import { Controller } from '@nestjs/common';
import type { Caller } from '../../../http/request-state.js';
import { CurrentCaller } from '../../../http/route.js';
import { IgnoresUnoffered, PlaidBody, PlaidRoute } from '../transport/plaid-route.js';
import { CreateLinkToken } from './create-link-token.js';
import { CreateLinkTokenRequest, type CreateLinkTokenBody } from './link-token.requests.js';

/** Source: plaid-compat 6.1, 7. */
@Controller()
export class LinkTokenController {
  constructor(private readonly creation: CreateLinkToken) {}

  @PlaidRoute({ path: '/link/token/create', request: CreateLinkTokenRequest })
  async create(@CurrentCaller() caller: Caller, @PlaidBody() body: CreateLinkTokenBody, @IgnoresUnoffered() ignoresUnoffered: boolean) {
    const { token, expiresAt } = await this.creation.create(caller, body, ignoresUnoffered);
    return { link_token: token, expiration: expiresAt.toISOString() };
  }
}
