import { faultOfError, oauthReasonOf } from '../../../../domain/plaid/item-faults.js';
import { PlaidLimits } from '../../../../apps/api/src/plaid/access/plaid-limits.js';
import type { Caller } from '../../../../apps/api/src/http/request-state.js';
import type { ApiSettings } from '../../../../apps/platform/src/config/settings.js';
import { CALL_LIMITS, type CallLimits } from '../../../../domain/plaid/call-limits.js';
import { CallWindows } from '../../../../apps/api/src/plaid/access/call-windows.js';
import type { LinkError } from '../../../../domain/link/link-state.js';

describe('The error of a broken item', () => {
  // plaid-compat 3.7: stored data, then balance and refresh.
  it.each<[LinkError, string | null, string | null, string]>([
    ['auth_expired', 'reset', 'ITEM_LOGIN_REQUIRED', 'ITEM_LOGIN_REQUIRED'],
    ['institution_error', null, null, 'INSTITUTION_NOT_RESPONDING'],
    ['institution_error', 'institution_down', null, 'INSTITUTION_DOWN'],
    ['institution_error', 'no_accounts', 'NO_ACCOUNTS', 'NO_ACCOUNTS'],
    ['provider_error', 'rate_limited', null, 'INSTITUTION_NOT_AVAILABLE'],
    ['system_error', 'malformed', null, 'INTERNAL_SERVER_ERROR'],
    ['user_error', null, 'USER_SETUP_REQUIRED', 'USER_SETUP_REQUIRED'],
    ['user_error', 'user_action_required', 'USER_SETUP_REQUIRED', 'USER_SETUP_REQUIRED'],
    ['user_error', 'invalid_credentials', 'INVALID_CREDENTIALS', 'INVALID_CREDENTIALS'],
    ['user_error', 'user_denied', 'ACCESS_NOT_GRANTED', 'ACCESS_NOT_GRANTED'],
    ['user_error', 'mfa_failed', 'INVALID_MFA', 'INVALID_MFA'],
    ['user_error', 'account_locked', 'ITEM_LOCKED', 'ITEM_LOCKED'],
    ['incomplete', 'incomplete', 'ITEM_LOGIN_REQUIRED', 'ITEM_LOGIN_REQUIRED'],
  ])('%s is caused by %s', (error, cause, stored, live) => {
    expect(faultOfError(error, cause)).toEqual({ stored, live });
  });

  it('contains a reason only if the user logs in at the bank', () => {
    expect(
      oauthReasonOf({ isOAuth: false, errorCause: 'reset' }, 'ITEM_LOGIN_REQUIRED'),
    ).toBeUndefined();
    expect(oauthReasonOf({ isOAuth: true, errorCause: 'reset' }, 'ITEM_LOGIN_REQUIRED')).toBe(
      'OAUTH_INVALID_TOKEN',
    );
    expect(
      oauthReasonOf({ isOAuth: true, errorCause: 'consent_expired' }, 'ITEM_LOGIN_REQUIRED'),
    ).toBe('OAUTH_CONSENT_EXPIRED');
    expect(oauthReasonOf({ isOAuth: true, errorCause: null }, 'INSTITUTION_DOWN')).toBeNull();
    expect(
      oauthReasonOf({ isOAuth: true, errorCause: 'no_permission' }, 'USER_PERMISSION_REVOKED'),
    ).toBe('OAUTH_USER_REVOKED');
  });
});

describe('The rate limit of the Plaid layer', () => {
  it('counts calls by key and discards each after a minute', () => {
    let now = 0;
    const windows = new CallWindows(() => now);
    expect([windows.take('a', 2), windows.take('a', 2), windows.take('b', 2)]).toEqual([0, 0, 0]);
    now = 59_000;
    expect(windows.take('a', 2)).toBe(1);
    now = 60_001;
    expect([windows.take('a', 2), windows.take('a', 2)]).toEqual([0, 0]);
    expect(windows.take('a', 2)).toBe(60);
  });

  it('allows as many calls as the deployment configures, and counts none where it is off', () => {
    const caller = { clientId: 'client', environment: 'sandbox' } as Caller;
    const limitsBy = (rateLimitCompat: CallLimits | 'off') =>
      new PlaidLimits({ rateLimitCompat } as ApiSettings, new CallWindows());
    const few = limitsBy({ ...CALL_LIMITS, RATE_LIMIT: 1 });
    few.take('/link/token/get', caller, null);
    few.take('/item/remove', caller, null);
    expect(() => few.take('/link/token/get', caller, null)).toThrow(
      expect.objectContaining({ code: 'RATE_LIMIT', status: 429 }),
    );
    const off = limitsBy('off');
    for (let call = 0; call < 1_000; call += 1) off.take('/link/token/get', caller, null);
  });
});
