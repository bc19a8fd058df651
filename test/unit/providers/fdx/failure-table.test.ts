import { KeysRefused } from '../../../../domain/errors/provider-failure.js';
import {
  failureOfAuthorizationStatus,
  failureOfOAuth,
  failureOfResource,
  failureOfTransport,
} from '../../../../providers/fdx/failure-table.js';

const NOTHING = { code: null, isPage: false, retryAfter: undefined };

describe('The failure table of FDX', () => {
  it.each([
    [400, 'internal'],
    [401, 'consent_expired'],
    [403, 'no_permission'],
    [404, 'not_supported'],
    [408, 'institution_timeout'],
    [418, 'malformed'],
    [302, 'malformed'],
    [422, 'not_supported'],
    [429, 'rate_limited'],
    [500, 'institution_down'],
    [503, 'institution_down'],
    [504, 'institution_timeout'],
  ])('maps status %i of the data to %s', (status, cause) => {
    expect(failureOfResource(status, NOTHING).providerCause).toBe(cause);
  });

  it.each([
    [400, '701', 'not_supported'],
    [500, '501', 'institution_down'],
    [404, '1107', 'not_supported'],
    [403, '602', 'no_permission'],
    [422, '704', 'not_supported'],
    [400, '702', 'internal'],
    [400, '1207', 'rate_limited'],
    [404, 'toString', 'not_supported'],
  ])('maps status %i with the code %s to %s', (status, code, cause) => {
    expect(failureOfResource(status, { ...NOTHING, code }).providerCause).toBe(cause);
  });

  it('attributes a page to a shield in front of the bank, and not to a refusal', () => {
    const page = { ...NOTHING, isPage: true };
    expect(failureOfResource(403, page).providerCause).toBe('institution_down');
    expect(failureOfResource(429, { ...page, retryAfter: '30' })).toMatchObject({
      providerCause: 'rate_limited',
      retryAfterSeconds: 30,
    });
  });

  it.each([
    ['invalid_grant', 'invalid_credentials', 'consent_expired'],
    ['access_denied', 'user_denied', 'user_denied'],
    ['interaction_required', 'user_action_required', 'user_action_required'],
    ['login_required', 'user_action_required', 'user_action_required'],
    ['server_error', 'provider_down', 'provider_down'],
    ['temporarily_unavailable', 'provider_down', 'provider_down'],
    ['invalid_request', 'internal', 'internal'],
    ['invalid_scope', 'not_supported', 'not_supported'],
    ['hasOwnProperty', 'internal', 'internal'],
  ])('maps the OAuth error %s to %s of a login and %s of a renewal', (error, login, renewal) => {
    expect(failureOfOAuth(error, 'login').providerCause).toBe(login);
    expect(failureOfOAuth(error, 'renewal').providerCause).toBe(renewal);
  });

  it.each(['invalid_client', 'unauthorized_client'])('maps %s to refused keys', (error) => {
    expect(failureOfOAuth(error, 'renewal')).toBeInstanceOf(KeysRefused);
  });

  it('maps a refused certificate to refused keys, and other broken connections to a bank that is down', () => {
    const broken = (code: string) => Object.assign(new Error('broken'), { code });
    for (const code of [
      'ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED',
      'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
      'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
    ])
      expect(failureOfTransport(broken(code), 'resources')).toBeInstanceOf(KeysRefused);
    for (const [part, cause] of [
      ['resources', 'institution_down'],
      ['authorization', 'provider_down'],
    ] as const)
      expect(failureOfTransport(broken('ECONNRESET'), part)).toMatchObject({
        providerCause: cause,
      });
  });

  it('repeats no text of the bank', () => {
    const text = 'SECRET-1234 <b>';
    expect(failureOfOAuth(text, 'login').message).not.toContain('SECRET');
    expect(failureOfResource(500, { ...NOTHING, code: text }).message).not.toContain('SECRET');
  });

  it('reports that an address may not be allowed when a connection is closed without a response', () => {
    const closed = failureOfAuthorizationStatus(403, { isJson: false, retryAfter: undefined });
    expect(closed?.message).toContain('address');
    expect(failureOfAuthorizationStatus(403, { isJson: true, retryAfter: undefined })).toBeNull();
  });
});
