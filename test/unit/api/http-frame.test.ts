import { UserNotPermitted } from '../../../domain/api/restriction.js';
import { ApiError, badState } from '../../../domain/errors/api-errors.js';
import { versionOf } from '../../../apps/api/src/http/api-versions.js';
import { bearerToken } from '../../../apps/api/src/http/bearer-token.js';
import { isExpectedMediaType } from '../../../apps/api/src/http/input/media-type.js';
import { errorHeaders, toApiError } from '../../../apps/api/src/http/present-error.js';
import { TokenBuckets } from '../../../apps/platform/src/limits/token-buckets.js';
import { repairPath } from '../../../apps/api/src/http/input/undecodable-path.js';

describe('A request path', () => {
  it.each([
    ['/links/a?x=%ZZ', '/links/a?x=%ZZ'],
    ['/links/%41', '/links/%41'],
    ['/links/%ZZ/accounts', '/links/%00/accounts'],
    ['/links/%C3%28?cursor=%', '/links/%00?cursor=%'],
    ['/links/%', '/links/%00'],
    ['/links/a%2Fb', '/links/a%2Fb'],
    ['/%ZZ/%41/%E0%A4%A', '/%00/%41/%00'],
  ])('%s is routed as %s', (address, routed) => expect(repairPath(address)).toBe(routed));
});

describe('A media type', () => {
  it.each([
    [{ 'content-type': 'application/json' }, 'json', true],
    [{ 'content-type': 'Application/JSON; Charset="UTF-8"' }, 'json', true],
    [{ 'content-type': 'application/json; charset=latin1' }, 'json', false],
    [{ 'content-type': 'application/json', 'content-encoding': 'gzip' }, 'json', false],
    [{ 'content-type': 'application/json', 'content-encoding': 'identity' }, 'json', true],
    [{ 'content-type': 'text/json' }, 'json', false],
    [{ 'content-type': 'application/x-www-form-urlencoded' }, 'form', true],
    [{ 'content-length': '2' }, 'json', false],
    [{ 'transfer-encoding': 'chunked' }, 'json', false],
    [{}, 'json', true],
  ] as const)('%j for %s: %s', (headers, expected, result) =>
    expect(isExpectedMediaType(headers, expected)).toBe(result),
  );
});

describe('An Authorization header', () => {
  it.each([
    ['Bearer abc', 'abc'],
    ['bearer  a-b_c.~+/=', 'a-b_c.~+/='],
    ['Basic abc', null],
    ['Bearer', null],
    ['Bearer a b', null],
    ['', null],
    [undefined, null],
    ['Bearer ü', null],
    [`Bearer ${'x'.repeat(513)}`, null],
  ])('%j carries %j', (header, token) => expect(bearerToken(header)).toBe(token));
});

describe('A service-version header', () => {
  it('is one of the known versions, or the default', () => {
    expect([versionOf(undefined), versionOf('2023-02-18')]).toEqual(['2026-11-27', '2023-02-18']);
    for (const other of ['', '2023-2-18', '2024-01-01', ['2023-02-18', '2023-02-18']])
      expect(() => versionOf(other)).toThrow(ApiError);
  });
});

describe('A rate limit bucket', () => {
  it('grants its burst and then its rate, for each key separately', () => {
    let now = 0;
    const buckets = new TokenBuckets({ perSecond: 2, burst: 3 }, () => now);
    expect([1, 2, 3].map(() => buckets.take('a'))).toEqual([0, 0, 0]);
    expect(buckets.take('a')).toBeCloseTo(0.5);
    expect(buckets.take('b')).toBe(0);
    now = 500;
    expect(buckets.take('a')).toBe(0);
    expect(buckets.take('a')).toBeGreaterThan(0);
    now = 1_000_000;
    expect([1, 2, 3].map(() => buckets.take('a'))).toEqual([0, 0, 0]);
    expect(buckets.take('a')).toBeGreaterThan(0);
  });

  it('shows what is left and when it is full, as whole calls and seconds', () => {
    let now = 0;
    const buckets = new TokenBuckets({ perSecond: 2, burst: 5 }, () => now);
    expect(buckets.paceOf('a')).toEqual({
      quota: 5,
      windowSeconds: 3,
      remaining: 5,
      fullAfterSeconds: 0,
    });
    for (let call = 0; call < 6; call += 1) buckets.take('a');
    expect(buckets.paceOf('a')).toMatchObject({ remaining: 0, fullAfterSeconds: 3 });
    now = 700;
    expect(buckets.paceOf('a')).toMatchObject({ remaining: 1, fullAfterSeconds: 2 });
    expect(buckets.paceOf('a', 25)).toMatchObject({ quota: 1, windowSeconds: 2 });
    expect(new TokenBuckets('off').paceOf('a')).toBeNull();
  });

  it('forgets old keys instead of growing, and can be turned off', () => {
    const buckets = new TokenBuckets({ perSecond: 1, burst: 1 }, () => 0);
    expect(buckets.take('first')).toBe(0);
    for (let key = 0; key < 10_000; key += 1) buckets.take(String(key));
    expect(buckets.take('first')).toBe(0);
    const off = new TokenBuckets('off');
    expect(Array.from({ length: 1_000 }, () => off.take('a')).every((wait) => wait === 0)).toBe(
      true,
    );
  });
});

describe('An API failure', () => {
  it.each([
    [new Error('password=hunter2'), 'native', 500, 'api_error.internal'],
    [
      Object.assign(new Error('x'), { code: 'ECONNREFUSED' }),
      'native',
      503,
      'api_error.unavailable',
    ],
    [Object.assign(new Error('x'), { code: '57P01' }), 'connect', 503, 'connect_error.unavailable'],
    [Object.assign(new Error('x'), { code: '57014' }), 'native', 503, 'api_error.unavailable'],
    [Object.assign(new Error('x'), { code: 'P2028' }), 'connect', 503, 'connect_error.unavailable'],
    [
      new ApiError('api_error.request.validation_failed', { issues: [] }),
      'connect',
      422,
      'connect_error.invalid_input',
    ],
    [
      new ApiError('api_error.request.validation_failed', { issues: [] }),
      'native',
      422,
      'api_error.request.validation_failed',
    ],
    [badState({ state: 'error', error: 'auth_expired' }), 'native', 422, 'link_error.bad_state'],
  ] as const)('%s for %s returns %i %s', (thrown, family, status, code) => {
    const error = toApiError(thrown, family, []);
    expect({ status: error.status, code: error.code }).toEqual({ status, code });
    expect(JSON.stringify(error.body(null))).not.toContain('hunter2');
  });

  it('carries the headers of its kind', () => {
    expect(errorHeaders(new ApiError('link_error.unauthorized_access'), [])).toEqual({
      'WWW-Authenticate': 'Bearer',
    });
    const challenge = { error: 'insufficient_scope', scope: 'links:read' } as const;
    expect(errorHeaders(new ApiError('api_error.auth.unauthorized', { challenge }), [])).toEqual({
      'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="links:read"',
    });
    expect(errorHeaders(toApiError(new UserNotPermitted(), 'native', []), [])).toEqual({
      'WWW-Authenticate': 'Bearer error="insufficient_scope"',
    });
    expect(
      errorHeaders(new ApiError('api_error.request.method_not_allowed'), ['GET', 'HEAD']),
    ).toEqual({ Allow: 'GET, HEAD' });
    expect(
      errorHeaders(new ApiError('api_error.rate_limit_exceeded', { retryAfterSeconds: 0.05 }), []),
    ).toEqual({ 'Retry-After': '1' });
  });
});
