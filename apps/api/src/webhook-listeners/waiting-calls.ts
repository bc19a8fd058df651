import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../../domain/api/environment.js';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import {
  MAX_LISTENERS_OF_APP,
  maxListenersOf,
} from '../../../../domain/webhooks/listener-limits.js';
import { ownerOf } from '../http/request-state.js';

/** Each listener waits with one call at a time. */
interface Waiting {
  key: string;
  max: number;
}

/**
 * Bounds the calls of one app and environment, and of a key pair with a share of its own, that wait in this process.
 * Source: webhooks 13.
 */
@Injectable()
export class WaitingCalls {
  private readonly waiting = new Map<string, number>();

  /** @throws ApiError when too many wait already */
  async during<T>(tenant: Tenant, wait: () => Promise<T>): Promise<T> {
    const counted = countedFor(tenant);
    const full = counted.find(({ key, max }) => (this.waiting.get(key) ?? 0) >= max);
    if (full !== undefined)
      throw new ApiError('api_error.rate_limit_exceeded', {
        message: `At most ${full.max} calls of ${full === counted[0] ? 'an app' : 'this key pair'} may wait for events at a time.`,
        retryAfterSeconds: 1,
      });
    for (const { key } of counted) this.add(key, 1);
    try {
      return await wait();
    } finally {
      for (const { key } of counted) this.add(key, -1);
    }
  }

  private add(key: string, calls: number): void {
    const waiting = (this.waiting.get(key) ?? 0) + calls;
    if (waiting === 0) this.waiting.delete(key);
    else this.waiting.set(key, waiting);
  }
}

function countedFor(tenant: Tenant): Waiting[] {
  const ofApp = { key: `app ${ownerOf(tenant)}`, max: MAX_LISTENERS_OF_APP };
  const { share } = tenant;
  return share === undefined
    ? [ofApp]
    : [ofApp, { key: `pair ${share.clientId}`, max: maxListenersOf(tenant) }];
}
