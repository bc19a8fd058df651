import {
  failureOfResponse,
  failureOfTransport,
} from '../../../providers/sandbox/client/failure-table.js';

const coded = (code: string): Error => Object.assign(new Error('secret-canary'), { code });

describe('The failure table of the sandbox bank', () => {
  it.each([
    [400, 'internal', 'internal'],
    [401, 'internal', 'consent_expired'],
    [403, 'internal', 'consent_expired'],
    [404, 'internal', 'consent_expired'],
    [408, 'institution_timeout', 'institution_timeout'],
    [409, 'internal', 'internal'],
    [429, 'rate_limited', 'rate_limited'],
    [500, 'institution_down', 'institution_down'],
    [503, 'institution_down', 'institution_down'],
    [504, 'institution_timeout', 'institution_timeout'],
    [200, 'malformed', 'malformed'],
    [302, 'malformed', 'malformed'],
    [418, 'malformed', 'malformed'],
  ])('maps status %i to %s at login and %s on data', (status, login, data) => {
    expect(failureOfResponse('login', status, undefined, null).providerCause).toBe(login);
    expect(failureOfResponse('data', status, undefined, null).providerCause).toBe(data);
  });

  it('prefers the code in the body to the status', () => {
    const body = { error: { code: 'unknown_institution', message: 'x' } };
    expect(failureOfResponse('login', 404, undefined, body).providerCause).toBe('not_supported');
  });

  it.each([
    { error: 'text' },
    { error: { code: 'constructor' } },
    { error: { code: 7 } },
    'text',
    [],
    undefined,
  ])('falls back to the status for the body %j', (body) => {
    expect(failureOfResponse('data', 401, undefined, body).providerCause).toBe('consent_expired');
  });

  it.each([
    ['30', 30],
    ['99999999', 86_400],
    ['-1', null],
    ['1.5', null],
    ['Wed, 21 Oct 2026 07:28:00 GMT', null],
    [['1', '2'], null],
    [undefined, null],
  ])('parses Retry-After %j as %s', (header, seconds) => {
    expect(failureOfResponse('data', 429, header, null).retryAfterSeconds).toBe(seconds);
  });

  it.each([
    ['ECONNREFUSED', 'institution_down'],
    ['ECONNRESET', 'institution_down'],
    ['UND_ERR_SOCKET', 'institution_down'],
    ['ENOTFOUND', 'institution_down'],
    ['UND_ERR_CONNECT_TIMEOUT', 'institution_timeout'],
    ['UND_ERR_HEADERS_TIMEOUT', 'institution_timeout'],
    ['UND_ERR_BODY_TIMEOUT', 'institution_timeout'],
    ['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'malformed'],
    ['HPE_INVALID_CONSTANT', 'malformed'],
    ['UND_ERR_INVALID_ARG', 'internal'],
  ])('maps the transport error %s to %s', (code, cause) => {
    const failure = failureOfTransport(coded(code));
    expect(failure.providerCause).toBe(cause);
    expect(failure.message).not.toContain('secret-canary');
  });
});
