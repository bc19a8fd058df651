import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { addressBlock } from '../../../platform/src/limits/address-block.js';
import { TokenBuckets } from '../../../platform/src/limits/token-buckets.js';
import type { AnonymousCall } from './request-state.js';

const MAX_KNOWN = 10_000;

/**
 * Limits the requests of an address that prove no credential, whatever their target, in this process. Every request takes one
 * call from its address, and returns it once its credential proves right. Source: native-api 8.
 */
@Injectable()
export class AnonymousCalls {
  private readonly buckets: TokenBuckets;
  /** Digests of the credentials that most recently proved right, in order of use. */
  private readonly known = new Set<string>();

  constructor(@Inject(SETTINGS) settings: ApiSettings) {
    this.buckets = new TokenBuckets(settings.rateLimitAnonymous);
  }

  begin({ ip }: Pick<Request, 'ip'>): AnonymousCall {
    const key = addressBlock(ip ?? '');
    const waitSeconds = this.buckets.take(key);
    return {
      waitSeconds,
      authenticate: async (credential, check) => {
        const known = credential === null ? null : digest(credential);
        // A neighbor who used up the calls of an address must not lock out its apps and open sessions.
        if (waitSeconds > 0 && (known === null || !this.known.has(known)))
          throw tooManyCalls(waitSeconds);
        const found = await check().catch((error: unknown) => {
          if (known !== null && isRefusal(error)) this.known.delete(known);
          throw error;
        });
        if (known === null) return found;
        this.known.delete(known);
        if (found === null) return found;
        this.remember(known);
        if (waitSeconds === 0) this.buckets.release(key);
        return found;
      },
    };
  }

  private remember(known: string): void {
    this.known.add(known);
    const [leastUsed] = this.known;
    if (this.known.size > MAX_KNOWN && leastUsed !== undefined) this.known.delete(leastUsed);
  }
}

export function tooManyCalls(retryAfterSeconds: number): ApiError {
  const message = 'Too many requests without a valid credential came from this address.';
  return new ApiError('api_error.rate_limit_exceeded', { message, retryAfterSeconds });
}

/** Not a fault of the database: a credential that could not be checked is still known. */
const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.status < 500;

const digest = (credential: string): string =>
  createHash('sha256').update(credential).digest('base64url');
