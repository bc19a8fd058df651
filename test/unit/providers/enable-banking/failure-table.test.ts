import {
  concernsOneAccount,
  failureOfResponse,
} from '../../../../providers/enable-banking/client/failure-table.js';
import { KeysRefused, ProviderFailure } from '../../../../domain/errors/provider-failure.js';

const refused = (error: string, status = 400) =>
  failureOfResponse({ status, body: { error, message: 'secret-canary', code: status } });

describe('A refusal of Enable Banking', () => {
  it.each([
    ['ASPSP_ERROR', 'institution_down', true],
    ['ASPSP_TIMEOUT', 'institution_timeout', true],
    ['ASPSP_RATE_LIMIT_EXCEEDED', 'rate_limited', true],
    ['ASPSP_ACCOUNT_NOT_ACCESSIBLE', 'no_permission', true],
    ['ACCOUNT_DOES_NOT_EXIST', 'no_permission', true],
    ['WRONG_TRANSACTIONS_PERIOD', 'malformed', true],
    ['ASPSP_PSU_ACTION_REQUIRED', 'user_action_required', false],
    ['EXPIRED_SESSION', 'consent_expired', false],
    ['CLOSED_SESSION', 'consent_expired', false],
    ['REVOKED_SESSION', 'consent_expired', false],
    ['SESSION_DOES_NOT_EXIST', 'consent_expired', false],
    ['WRONG_SESSION_STATUS', 'consent_expired', false],
    ['EXPIRED_AUTHORIZATION_CODE', 'consent_expired', false],
    ['WRONG_AUTHORIZATION_CODE', 'invalid_credentials', false],
    ['ALREADY_AUTHORIZED', 'invalid_credentials', false],
    ['WRONG_CREDENTIALS_PROVIDED', 'invalid_credentials', false],
    ['NO_ACCOUNTS_ADDED', 'no_accounts', false],
    ['WRONG_ASPSP_PROVIDED', 'not_supported', false],
    ['REDIRECT_URI_NOT_ALLOWED', 'internal', false],
    ['ACCESS_DENIED', 'internal', false],
    ['PSU_HEADER_NOT_PROVIDED', 'internal', false],
    ['WRONG_REQUEST_PARAMETERS', 'internal', false],
  ])('with the code %s means %s, whatever its status', (code, cause, isOfOneAccount) => {
    for (const status of [400, 401, 403, 404, 408, 422, 429, 500, 503]) {
      const failure = refused(code, status);
      expect({ status, cause: failure.providerCause }).toEqual({ status, cause });
      expect(failure.code).toBe(code);
      expect(concernsOneAccount(failure)).toBe(isOfOneAccount);
    }
  });

  it.each(['UNAUTHORIZED_ACCESS', 'AUTHORIZATION_NOT_PROVIDED', 'UNAUTHORIZED_IP'])(
    'with the code %s refuses the keys of the operator',
    (code) => {
      const failure = refused(code, 401);
      expect(failure).toBeInstanceOf(KeysRefused);
      expect(failure.message).not.toContain('canary');
      expect(concernsOneAccount(failure)).toBe(false);
    },
  );

  it('with the code ACCESS_DENIED may concern one resource, and refuses no keys', () => {
    expect(refused('ACCESS_DENIED', 403)).not.toBeInstanceOf(KeysRefused);
  });

  it.each([
    [400, 'internal'],
    [401, 'internal'],
    [403, 'internal'],
    [404, 'malformed'],
    [408, 'institution_timeout'],
    [422, 'internal'],
    [429, 'rate_limited'],
    [500, 'provider_down'],
    [503, 'provider_down'],
    [302, 'malformed'],
  ])('without a known code is judged by the status %i: %s', (status, cause) => {
    for (const body of [{}, { error: 'NEW_CODE' }, { error: 7 }, [], 'text', null]) {
      const failure = failureOfResponse({ status, body });
      expect({ body, cause: failure.providerCause }).toEqual({ body, cause });
      expect(failure.code).toBeNull();
      expect(concernsOneAccount(failure)).toBe(cause === 'malformed');
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
    expect(concernsOneAccount(new ProviderFailure('rate_limited', 'used up'))).toBe(true);
    expect(concernsOneAccount(new ProviderFailure('malformed', 'unreadable'))).toBe(true);
    expect(concernsOneAccount(new ProviderFailure('provider_down', 'away'))).toBe(false);
  });
});
