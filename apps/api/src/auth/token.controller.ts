import { Controller, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Restriction } from '../../../../domain/api/environment.js';
import { apiTimestampOrNull } from '../../../../domain/api/timestamps.js';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import { FORM_LIMITS } from '../http/input/input-limits.js';
import { CurrentCaller, Input, Route, type InputOf } from '../http/route.js';
import { stateOf, type Caller } from '../http/request-state.js';
import { single } from '../schemas/query.schema.js';
import { tokenDocs } from './token.docs.js';
import { IssueToken, TokenRefused, type TokenRequest } from './issue-token.js';
import { OAuthErrorFilter } from './oauth-error.filter.js';

export const TokenForm = {
  body: z.object({
    grant_type: single.optional().describe('Always `client_credentials`.'),
    client_id: single.optional().describe('The id of the key pair, unless HTTP Basic has it.'),
    client_secret: single
      .optional()
      .describe('The secret of the key pair, unless HTTP Basic has it.'),
    scope: single
      .optional()
      .describe('Scopes, separated by spaces; missing or empty = all of the key pair.'),
  }),
};

/** Source: native-api 3.1. */
@Controller()
export class TokenController {
  constructor(private readonly issuer: IssueToken) {}

  @Route('POST /auth/token', {
    docs: tokenDocs.issueToken,
    auth: 'handler',
    body: 'form',
    status: 201,
    input: TokenForm,
    limits: FORM_LIMITS,
  })
  async issueToken(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Input() { body }: InputOf<typeof TokenForm>,
  ) {
    try {
      const { token, expiresInSeconds } = await this.issuer.issue(
        tokenRequest(request, body),
        false,
      );
      return { access_token: token, token_type: 'bearer', expires_in: expiresInSeconds };
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error;
      if (error.reason !== 'invalid_client')
        throw new ApiError('api_error.auth.unauthorized', { message: REFUSALS[error.reason] }, 400);
      if (error.basic) response.setHeader('WWW-Authenticate', 'Basic realm="api", charset="UTF-8"');
      throw new ApiError('api_error.auth.unauthorized');
    }
  }

  @Route('POST /oauth/token', {
    docs: tokenDocs.issueOAuthToken,
    auth: 'handler',
    body: 'form',
    input: TokenForm,
    limits: FORM_LIMITS,
  })
  @UseFilters(OAuthErrorFilter)
  async issueOAuthToken(@Req() request: Request, @Input() { body }: InputOf<typeof TokenForm>) {
    const { token, expiresInSeconds, scopes } = await this.issuer.issue(
      tokenRequest(request, body),
      true,
    );
    return {
      access_token: token,
      token_type: 'bearer',
      expires_in: expiresInSeconds,
      scope: scopes.join(' '),
    };
  }

  @Route('GET /auth/introspect', {
    reads: { by: 'object' },
    docs: tokenDocs.introspect,
    scope: null,
  })
  introspect(@CurrentCaller() caller: Caller) {
    const app = {
      app_id: caller.appId,
      name: caller.appName,
      id: caller.appId,
      app_name: caller.appName,
    };
    return {
      client_id: caller.clientId,
      client_name: caller.appName,
      scope: caller.scopes.join(' '),
      environment: caller.environment,
      app,
      disabled_at: null,
      restricted_to: caller.only === undefined ? null : restriction(caller.only),
      ends_at: apiTimestampOrNull(caller.clientEndsAt ?? null),
    };
  }
}

const restriction = (only: Restriction) => ({
  user_ids: 'users' in only ? only.users : null,
  link_ids: 'links' in only ? only.links : null,
});

function tokenRequest(request: Request, form: TokenRequest['form']): TokenRequest {
  const { authorization } = request.headers;
  return { authorization, address: request.ip ?? '', anonymous: stateOf(request).anonymous, form };
}

const REFUSALS = {
  conflicting_clients: 'The header and the form name different clients.',
  missing_grant_type: 'The grant_type is missing.',
  unsupported_grant_type: 'Only the grant_type client_credentials is supported.',
  invalid_scope: 'The scope is unknown, or not allowed for this key pair.',
} as const;
