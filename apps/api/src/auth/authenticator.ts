import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import {
  AccessTokenRepository,
  type TokenRecord,
} from '../../../../prisma/tenants/applications/access-token.repository.js';
import { bearerToken } from '../http/bearer-token.js';
import { TokenCache } from './token-cache.js';

const WRONG = { challenge: { error: 'invalid_token' } } as const;

/** Identifies the client behind a request's access token. Source: native-api 3.1. */
@Injectable()
export class Authenticator {
  constructor(
    private readonly tokens: AccessTokenRepository,
    private readonly cache: TokenCache,
  ) {}

  /** @throws ApiError when the header contains no valid token */
  async authenticate(authorization: string | undefined): Promise<TokenRecord> {
    const token = bearerToken(authorization);
    const record =
      token === null
        ? null
        : await this.cache.get(createHash('sha256').update(token).digest('base64url'), () =>
            this.tokens.find(token),
          );
    const now = Date.now();
    if (record === null || !record.isActive || hasPassed(record.clientEndsAt, now))
      throw new ApiError('api_error.auth.unauthorized', authorization === undefined ? {} : WRONG);
    if (hasPassed(record.expiresAt, now))
      throw new ApiError('api_error.auth.expired_access_token', WRONG);
    return record;
  }
}

function hasPassed(time: Date | null, now: number): boolean {
  return time !== null && time.getTime() <= now;
}
