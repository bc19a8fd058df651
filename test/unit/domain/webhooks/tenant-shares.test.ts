import { TenantShares } from '../../../../domain/webhooks/tenant-shares.js';

const LIVE = { appId: 'app', environment: 'live' } as const;
const SANDBOX = { appId: 'app', environment: 'sandbox' } as const;

describe('Shares of limited resources', () => {
  it('are counted for each app and environment separately', () => {
    const shares = new TenantShares(2);
    shares.add(SANDBOX);
    shares.add(SANDBOX);
    expect({ sandbox: shares.isFull(SANDBOX), live: shares.isFull(LIVE) }).toEqual({
      sandbox: true,
      live: false,
    });
    shares.add(LIVE);
    expect(shares.held).toEqual({ 'app/sandbox': 2, 'app/live': 1 });
    shares.remove(LIVE);
    expect(shares.held).toEqual({ 'app/sandbox': 2 });
  });
});
