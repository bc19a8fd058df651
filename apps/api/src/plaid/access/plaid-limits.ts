import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS } from '../../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../../platform/src/config/settings.js';
import { TokenBuckets } from '../../../../platform/src/limits/token-buckets.js';
import type { Caller } from '../../http/request-state.js';
import type { Item } from './item-access.js';
import { PlaidError } from '../errors/plaid-error.js';
import { CallWindows } from './call-windows.js';
import { limitOf } from './rate-limits.js';

/** Source: plaid-compat 4.1. */
@Injectable()
export class PlaidLimits {
  private readonly clients: TokenBuckets;

  constructor(
    @Inject(SETTINGS) private readonly settings: ApiSettings,
    private readonly windows: CallWindows,
  ) {
    this.clients = new TokenBuckets(settings.rateLimitCompatClient);
  }

  /** @throws PlaidError when the client has no call of any kind left */
  takeOfClient(clientId: string): void {
    const waitSeconds = this.settings.rateLimitCompat === 'off' ? 0 : this.clients.take(clientId);
    if (waitSeconds > 0) throw new PlaidError('RATE_LIMIT', { retryAfterSeconds: waitSeconds });
  }

  /** @throws PlaidError when the Item has no call left, or the client, for calls without an Item */
  take(path: string, caller: Caller, item: Item | null): void {
    const { rateLimitCompat: limits } = this.settings;
    if (limits === 'off') return;
    const { code, offInSandbox = false } = limitOf(path);
    if (offInSandbox && caller.environment === 'sandbox' && item?.hasRefreshLimits !== true) return;
    const waitSeconds = this.windows.take(
      `${path} ${item?.link.linkId ?? caller.clientId}`,
      limits[code],
    );
    if (waitSeconds > 0) throw new PlaidError(code, { retryAfterSeconds: waitSeconds });
  }
}
