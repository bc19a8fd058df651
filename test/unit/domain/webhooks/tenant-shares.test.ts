import { describe, expect, it } from 'vitest';
import { TenantShares } from '../../../../domain/webhooks/tenant-shares.js';

const LIVE = { appId: 'app', environment: 'live' } as const;
const SANDBOX = { appId: 'app', environment: 'sandbox' } as const;

describe('shares of what all tenants use', () => {
  it('are counted for each app and environment by itself', () => {
    const shares = new TenantShares(2);
    shares.add(SANDBOX);
    shares.add(SANDBOX);
    expect([shares.isFull(SANDBOX), shares.isFull(LIVE)]).toEqual([true, false]);
    shares.add(LIVE);
    expect(shares.held).toEqual({ 'app/sandbox': 2, 'app/live': 1 });
    shares.remove(LIVE);
    expect(shares.held).toEqual({ 'app/sandbox': 2 });
  });

  it('say once that a full one has half of its room again', () => {
    const shares = new TenantShares(4);
    for (let count = 0; count < 4; count += 1) shares.add(LIVE);
    expect([1, 2, 3, 4].map(() => shares.remove(LIVE))).toEqual([false, true, false, false]);
    shares.add(LIVE);
    expect(shares.remove(LIVE)).toBe(false);
  });
});
