import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../../domain/api/environment.js';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import { MAX_LISTENERS_OF_APP } from '../../../../domain/webhooks/listener-limits.js';

/** Each listener waits with one call at a time. */
const MAX_WAITING = MAX_LISTENERS_OF_APP;

/** Bounds the calls of one app and environment that wait in this process. Source: webhooks 13. */
@Injectable()
export class WaitingCalls {
  private readonly waiting = new Map<string, number>();

  /** @throws ApiError when too many wait already */
  async during<T>({ appId, environment }: Tenant, wait: () => Promise<T>): Promise<T> {
    const owner = `${appId}/${environment}`;
    const others = this.waiting.get(owner) ?? 0;
    if (others >= MAX_WAITING)
      throw new ApiError('api_error.rate_limit_exceeded', {
        message: `At most ${MAX_WAITING} calls of an app may wait for events at a time.`,
        retryAfterSeconds: 1,
      });
    this.waiting.set(owner, others + 1);
    try {
      return await wait();
    } finally {
      const left = (this.waiting.get(owner) ?? 1) - 1;
      if (left === 0) this.waiting.delete(owner);
      else this.waiting.set(owner, left);
    }
  }
}
