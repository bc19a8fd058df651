import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS } from '../../../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../../../platform/src/config/settings.js';
import type { Caller } from '../../../http/request-state.js';
import type { Item } from '../../../items/find-item.js';
import { PlaidError } from '../errors/plaid-error.js';
import { CallWindows } from './call-windows.js';
import { limitOf } from './rate-limits.js';

/** Source: plaid-compat 4.1. */
@Injectable()
export class PlaidLimits {
  private readonly windows = new CallWindows();

  constructor(@Inject(SETTINGS) private readonly settings: ApiSettings) {}

  /** @throws PlaidError when the Item, or without one the client, has no call left */
  take(path: string, caller: Caller, item: Item | null): void {
    const { rateLimitCompat: limits } = this.settings;
    if (limits === 'off') return;
    const { code, offInSandbox = false } = limitOf(path);
    if (offInSandbox && caller.environment === 'sandbox' && item?.hasRefreshLimits !== true) return;
    const waitSeconds = this.windows.take(`${path} ${item?.link.linkId ?? caller.clientId}`, limits[code]);
    if (waitSeconds > 0) throw new PlaidError(code, { retryAfterSeconds: waitSeconds });
  }
}
