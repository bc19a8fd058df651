import { Controller, Inject, Param } from '@nestjs/common';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import { presentSimplefinToken } from '../../../../domain/simplefin/present-token.js';
import { setupTokenOf, simplefinServerAt } from '../../../../domain/simplefin/setup-token.js';
import {
  MAX_TOKENS_OF_USER,
  SimplefinTokenRepository,
} from '../../../../prisma/views/simplefin/simplefin-token.repository.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import type { Caller } from '../http/request-state.js';
import { CurrentCaller, Input, Route, type InputOf } from '../http/route.js';
import { simplefinTokensDocs } from './simplefin-tokens.docs.js';
import { CreateSimplefinToken } from './simplefin-tokens.requests.js';

/** An hour: room comes from revoking a token, not from waiting. */
const RETRY_SECONDS = 3_600;

/** Setup tokens through which finance apps read the accounts of a user. Source: native-api 3.11. */
@Controller()
export class SimplefinTokensController {
  constructor(
    private readonly tokens: SimplefinTokenRepository,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  @Route('POST /users/:id/simplefin-tokens', {
    docs: simplefinTokensDocs.create,
    scope: 'users:share',
    input: CreateSimplefinToken,
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Param('id') userId: string,
    @Input() { body }: InputOf<typeof CreateSimplefinToken>,
  ) {
    const created = await this.tokens.create(caller, userId, body.name);
    if (created.kind === 'disabled') throw new ApiError('api_error.auth.unauthorized');
    if (created.kind === 'too_many')
      throw new ApiError('api_error.rate_limit_exceeded', {
        message: `A user may have ${MAX_TOKENS_OF_USER} SimpleFIN tokens. Revoke some of them.`,
        retryAfterSeconds: RETRY_SECONDS,
      });
    const { token, secret } = created;
    return {
      ...presentSimplefinToken(token, new Date()),
      setup_token: setupTokenOf(simplefinServerAt(this.settings.baseUrl), secret),
    };
  }

  @Route('GET /users/:id/simplefin-tokens', {
    reads: {
      by: 'stored',
      rows: '25 tokens that have not ended, and those that ended since the last one was made',
    },
    docs: simplefinTokensDocs.list,
    scope: 'users:share',
  })
  async list(@CurrentCaller() caller: Caller, @Param('id') userId: string) {
    const now = new Date();
    const tokens = await this.tokens.list(caller, userId);
    return { tokens: tokens.map((token) => presentSimplefinToken(token, now)) };
  }

  @Route('DELETE /users/:id/simplefin-tokens/:token_id', {
    docs: simplefinTokensDocs.revoke,
    scope: 'users:share',
    status: 204,
  })
  async revoke(
    @CurrentCaller() caller: Caller,
    @Param('id') userId: string,
    @Param('token_id') tokenId: string,
  ): Promise<void> {
    if (!(await this.tokens.revoke(caller, userId, tokenId)))
      throw new ApiError('simplefin_error.not_found');
  }
}
