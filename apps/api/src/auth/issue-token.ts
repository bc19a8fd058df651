import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import { parseScope, type Scope } from '../../../../domain/api/scopes.js';
import { AccessTokenRepository } from '../../../../prisma/tenants/applications/access-token.repository.js';
import { AppUseRepository } from '../../../../prisma/tenants/usage/app-use.repository.js';
import { TokenCallLimit } from '../../../../prisma/tenants/applications/token-call-limit.js';
import { continueOwned } from '../../../../prisma/base/database/work-origin.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { ownerOf, type AnonymousCall } from '../http/request-state.js';
import { readCredentials, type SentCredentials } from './client-credentials.js';
import { VerifyClient, type VerifiedClient } from './verify-client.js';

export interface TokenRequest {
  authorization: string | undefined;
  /** Address of the caller, for the limit on token calls. */
  address: string;
  anonymous: AnonymousCall;
  form: { grant_type?: string; client_id?: string; client_secret?: string; scope?: string };
}

export interface IssuedToken {
  token: string;
  expiresInSeconds: number;
  scopes: readonly Scope[];
}

/** The reason that no token was issued. The two token endpoints report it in different formats. */
export class TokenRefused extends Error {
  constructor(
    readonly reason:
      | 'conflicting_clients'
      | 'invalid_client'
      | 'unsupported_grant_type'
      | 'missing_grant_type'
      | 'invalid_scope',
    readonly basic: boolean,
  ) {
    super(reason);
    this.name = 'TokenRefused';
  }
}

/** Exchanges a key pair for an access token. Source: native-api 3.1. */
@Injectable()
export class IssueToken {
  constructor(
    @Inject(SETTINGS) private readonly settings: ApiSettings,
    private readonly clients: VerifyClient,
    private readonly tokens: AccessTokenRepository,
    private readonly limit: TokenCallLimit,
    private readonly use: AppUseRepository,
  ) {}

  /**
   * `grantTypeRequired`: RFC 6749 requires a grant_type; `/auth/token` assumes one. @throws
   * TokenRefused
   */
  async issue(
    { authorization, address, anonymous, form }: TokenRequest,
    grantTypeRequired: boolean,
  ): Promise<IssuedToken> {
    const reading = readCredentials(authorization, form);
    if (reading.kind === 'conflict') throw new TokenRefused('conflicting_clients', true);
    if (reading.kind === 'missing') throw new TokenRefused('invalid_client', reading.basic);

    const { credentials } = reading;
    const client = await this.verifiedClient(credentials, { address, anonymous });
    const grantType = form.grant_type ?? '';
    if (grantType === '' && grantTypeRequired)
      throw new TokenRefused('missing_grant_type', credentials.basic);
    if (grantType !== '' && grantType !== 'client_credentials')
      throw new TokenRefused('unsupported_grant_type', credentials.basic);
    const scopes = parseScope(form.scope, client.scopes);
    if (scopes === null) throw new TokenRefused('invalid_scope', credentials.basic);
    // Whatever the number of addresses that share the key pair.
    await this.use.take(client, { access_tokens: 1 });
    const issued = await this.tokens.issue({
      clientId: client.clientId,
      secretId: client.secretId,
      scopes,
      ttlMs: this.settings.accessTokenTtl,
    });
    return { ...issued, scopes };
  }

  /** Called only for valid key pairs: it writes a row, which an invented pair must not cause. */
  private async take(clientId: string, address: string): Promise<void> {
    const { rateLimitToken: rate } = this.settings;
    const wait = rate === 'off' ? 0 : await this.limit.take(clientId, address, rate);
    if (wait > 0) throw new ApiError('api_error.rate_limit_exceeded', { retryAfterSeconds: wait });
  }

  private async verifiedClient(
    { clientId, secret, basic }: SentCredentials,
    { address, anonymous }: Pick<TokenRequest, 'address' | 'anonymous'>,
  ): Promise<VerifiedClient> {
    const client = await this.clients.verify({ clientId, secret, address, anonymous });
    if (client === null) throw new TokenRefused('invalid_client', basic);
    continueOwned(ownerOf(client));
    await this.take(client.clientId, address);
    if (!client.isActive) throw new TokenRefused('invalid_client', basic);
    return client;
  }
}
