import { Controller } from '@nestjs/common';
import type { Caller } from '../../http/request-state.js';
import { CurrentCaller } from '../../http/route.js';
import { IgnoresUnoffered, PlaidBody, PlaidRoute } from '../transport/plaid-route.js';
import { CreateLinkToken } from './create-link-token.js';
import {
  CreateLinkTokenRequest,
  GetLinkTokenRequest,
  type CreateLinkTokenBody,
  type GetLinkTokenBody,
} from './link-token.requests.js';
import { ShowLinkToken } from './show-link-token.js';

/** Source: plaid-compat 6.1, 7. */
@Controller()
export class LinkTokenController {
  constructor(
    private readonly creation: CreateLinkToken,
    private readonly tokens: ShowLinkToken,
  ) {}

  @PlaidRoute({
    path: '/link/token/create',
    reads: null,
    scope: 'link_session:write',
    request: CreateLinkTokenRequest,
  })
  async create(
    @CurrentCaller() caller: Caller,
    @PlaidBody() body: CreateLinkTokenBody,
    @IgnoresUnoffered() ignoresUnoffered: boolean,
  ) {
    const { token, expiresAt, hostedUrl } = await this.creation.create(
      caller,
      body,
      ignoresUnoffered,
    );
    return {
      link_token: token,
      expiration: expiresAt.toISOString(),
      ...(hostedUrl === null ? {} : { hosted_link_url: hostedUrl }),
    };
  }

  @PlaidRoute({
    path: '/link/token/get',
    reads: { by: 'object' },
    scope: 'link_session:write',
    request: GetLinkTokenRequest,
  })
  show(@CurrentCaller() caller: Caller, @PlaidBody() { link_token: token }: GetLinkTokenBody) {
    return this.tokens.show(caller, token);
  }
}
