import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { TokenBuckets } from '../../../platform/src/limits/token-buckets.js';

/** Limits the calls per session. Source: connect 4. */
@Injectable()
export class ConnectLimits {
  private readonly buckets: TokenBuckets;

  constructor(@Inject(SETTINGS) settings: ApiSettings) {
    this.buckets = new TokenBuckets(settings.rateLimitConnect);
  }

  /** @throws ApiError when the session has used up its calls */
  take(sessionId: string): void {
    const wait = this.buckets.take(sessionId);
    if (wait > 0) throw new ApiError('connect_error.rate_limited', { retryAfterSeconds: wait });
  }
}
