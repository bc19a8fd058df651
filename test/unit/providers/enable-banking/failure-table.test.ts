import {
  failureOfResponse,
  scopeOf,
} from '../../../../providers/enable-banking/client/failure-table.js';
import { KeysRefused, ProviderFailure } from '../../../../domain/errors/provider-failure.js';

const refused = (error: string, status = 400) =>
  failureOfResponse({ status, body: { error, message: 'secret-canary', code: status } });

describe('A refusal of Enable Banking', () => {
  it.each([
    ['ASPSP_ERROR', 'institution_down', 'account'],
    ['ASPSP_TIMEOUT', 'institution_timeout', 'account'],
    ['ASPSP_RATE_LIMIT_EXCEEDED', 'rate_limited', 'account'],
    ['ASPSP_ACCOUNT_NOT_ACCESSIBLE', 'no_permission', 'account'],
    ['ACCOUNT_DOES_NOT_EXIST', 'no_permission', 'account'],
    ['WRONG_TRANSACTIONS_PERIOD', 'malformed', 'account'],
    ['ASPSP_PSU_ACTION_REQUIRED', 'user_action_required', 'call'],
    ['EXPIRED_SESSION', 'consent_expired', 'call'],
    ['CLOSED_SESSION', 'consent_expired', 'call'],
    ['REVOKED_SESSION', 'consent_expired', 'call'],
    ['SESSION_DOES_NOT_EXIST', 'consent_expired', 'call'],
    ['WRONG_SESSION_STATUS', 'consent_expired', 'call'],
    ['EXPIRED_AUTHORIZATION_CODE', 'consent_expired', 'call'],
    ['WRONG_AUTHORIZATION_CODE', 'invalid_credentials', 'call'],
    ['ALREADY_AUTHORIZED', 'invalid_credentials', 'call'],
    ['WRONG_CREDENTIALS_PROVIDED', 'invalid_credentials', 'call'],
    ['NO_ACCOUNTS_ADDED', 'no_accounts', 'call'],
    ['WRONG_ASPSP_PROVIDED', 'not_supported', 'call'],
    ['REDIRECT_URI_NOT_ALLOWED', 'internal', 'call'],
    ['ACCESS_DENIED', 'internal', 'account'],
    ['PSU_HEADER_NOT_PROVIDED', 'internal', 'account'],
    ['WRONG_REQUEST_PARAMETERS', 'internal', 'account'],
  ])('with the code %s means %s, whatever its status', (code, cause, scope) => {
    for (const status of [400, 401, 403, 404, 408, 422, 429, 500, 503]) {
      const failure = refused(code, status);
      expect({ status, cause: failure.providerCause }).toEqual({ status, cause });
      expect(failure.code).toBe(code);
      expect(scopeOf(failure)).toBe(scope);
    }
  });

  it.each(['UNAUTHORIZED_ACCESS', 'AUTHORIZATION_NOT_PROVIDED', 'UNAUTHORIZED_IP'])(
    'with the code %s refuses the keys of the operator',
    (code) => {
      const failure = refused(code, 401);
      expect(failure).toBeInstanceOf(KeysRefused);
      expect(failure.message).not.toContain('canary');
      expect(scopeOf(failure)).toBe('call');
    },
  );

  it('with the code ACCESS_DENIED may concern one resource, and refuses no keys', () => {
    expect(refused('ACCESS_DENIED', 403)).not.toBeInstanceOf(KeysRefused);
  });

  it.each([
    [400, 'internal', 'account'],
    [401, 'internal', 'call'],
    [403, 'internal', 'account'],
    [404, 'malformed', 'account'],
    [408, 'institution_timeout', 'source'],
    [422, 'internal', 'account'],
    [429, 'rate_limited', 'call'],
    [500, 'provider_down', 'source'],
    [503, 'provider_down', 'source'],
    [302, 'malformed', 'account'],
  ])('without a known code is judged by the status %i: %s', (status, cause, scope) => {
    for (const body of [{}, { error: 'NEW_CODE' }, { error: 7 }, [], 'text', null]) {
      const failure = failureOfResponse({ status, body });
      expect({ body, cause: failure.providerCause }).toEqual({ body, cause });
      expect(failure.code).toBeNull();
      expect(scopeOf(failure)).toBe(scope);
    }
  });

  it.each([401, 403, 404, 502])(
    'comes from a shield when it is a page with the status %i',
    (status) => {
      expect(failureOfResponse({ status, body: undefined }).providerCause).toBe('provider_down');
    },
  );

  it('leaves only its code and the time to wait from the response', () => {
    const failure = failureOfResponse({
      status: 429,
      body: { error: 'ASPSP_RATE_LIMIT_EXCEEDED', message: 'secret-canary', detail: 'DE89' },
      retryAfter: '120',
    });
    expect(failure.retryAfterSeconds).toBe(120);
    expect(failure.message).toBe('The bank asks us to wait. (ASPSP_RATE_LIMIT_EXCEEDED)');
    expect(failureOfResponse({ status: 400, body: { error: 'canary' } }).message).not.toContain(
      'canary',
    );
  });

  it('of our own quota concerns one account, as does a response that cannot be read', () => {
    expect(scopeOf(new ProviderFailure('rate_limited', 'used up'))).toBe('account');
    expect(scopeOf(new ProviderFailure('malformed', 'unreadable'))).toBe('account');
  });

  it('by a broken or silent connection is the source’s, if the next account shows it', () => {
    expect(scopeOf(new ProviderFailure('provider_down', 'away'))).toBe('source');
    expect(scopeOf(new ProviderFailure('institution_timeout', 'silent'))).toBe('source');
  });

  it('of another kind concerns every account, as does an error of ours', () => {
    expect(scopeOf(new ProviderFailure('consent_expired', 'over'))).toBe('call');
    expect(scopeOf(new Error('a mistake'))).toBe('call');
  });
});
