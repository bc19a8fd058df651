import { Global, Inject, Injectable, Module } from '@nestjs/common';
import type { Tenant } from '../../../../domain/api/environment.js';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { TokenBuckets, type Pace } from '../../../platform/src/limits/token-buckets.js';
import { ownerOf } from './request-state.js';

/** Of the calls of an app: those of one finance app, and those of all its finance apps together. */
const FINANCE_APP_PERCENT = 25;
const FINANCE_APPS_PERCENT = 50;

/** A bucket, and its part of the limit. */
interface Bucket {
  buckets: TokenBuckets;
  key: string;
  percent: number;
}

/**
 * The calls of an app and environment, whose back end, limited key pairs and finance apps are different parties: each
 * has a share, so that none of them uses up the calls of the others. Source: native-api 8.
 */
@Injectable()
export class CallLimits {
  private readonly apps: TokenBuckets;
  private readonly financeApps: TokenBuckets;

  constructor(@Inject(SETTINGS) { rateLimitApi }: ApiSettings) {
    this.apps = new TokenBuckets(rateLimitApi);
    this.financeApps = new TokenBuckets(rateLimitApi);
  }

  /** A call of a key pair. @throws ApiError */
  take(tenant: Tenant): void {
    takeFrom([...this.bucketsOfPair(tenant), this.bucketOf(tenant)]);
  }

  /** The limit of a key pair: its share, which shows nothing of the other calls of the app, or that of the app. */
  paceOf(tenant: Tenant): { policy: string; pace: Pace | null } {
    const [{ buckets, key, percent } = this.bucketOf(tenant)] = this.bucketsOfPair(tenant);
    const policy = tenant.share === undefined ? 'app' : 'key-pair';
    return { policy, pace: buckets.paceOf(key, percent) };
  }

  /** A call of a finance app, with a SimpleFIN token. @throws ApiError */
  takeOfFinanceApp(tenant: Tenant, tokenId: string): void {
    takeFrom([
      { buckets: this.financeApps, key: tokenId, percent: FINANCE_APP_PERCENT },
      {
        buckets: this.apps,
        key: `finance apps ${ownerOf(tenant)}`,
        percent: FINANCE_APPS_PERCENT,
      },
      this.bucketOf(tenant),
    ]);
  }

  private bucketsOfPair({ share }: Tenant): Bucket[] {
    if (share === undefined) return [];
    return [{ buckets: this.apps, key: `pair ${share.clientId}`, percent: share.percent }];
  }

  private bucketOf(tenant: Tenant): Bucket {
    return { buckets: this.apps, key: `app ${ownerOf(tenant)}`, percent: 100 };
  }
}

/** From all of them, or from none. */
function takeFrom(all: readonly Bucket[]): void {
  for (const [index, { buckets, key, percent }] of all.entries()) {
    const wait = buckets.take(key, percent);
    if (wait === 0) continue;
    for (const taken of all.slice(0, index)) taken.buckets.release(taken.key, taken.percent);
    throw new ApiError('api_error.rate_limit_exceeded', { retryAfterSeconds: wait });
  }
}

/** Global, because all APIs of the process share the limits. */
@Global()
@Module({ providers: [CallLimits], exports: [CallLimits] })
export class CallLimitsModule {}
