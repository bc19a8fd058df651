import { psuHeaders } from '../../../../providers/enable-banking/client/psu-headers.js';
import { coveredBy } from '../../../../providers/enable-banking/data/fetch-transactions.js';
import { codeOf } from '../../../../providers/enable-banking/login/read-return.js';
import { validUntil } from '../../../../providers/enable-banking/login/valid-until.js';
import { PRESENT_USER } from '../../../support/fixtures/provider-calls.js';

const BOTH = ['Psu-Ip-Address', 'Psu-User-Agent'];

describe('The headers of the end user', () => {
  it('are all that the bank requires', () => {
    const all = [...BOTH, 'Psu-Accept-language'];
    expect(psuHeaders(all, PRESENT_USER)).toEqual({
      'psu-ip-address': '203.0.113.7',
      'psu-user-agent': 'Mozilla/5.0 (X11; Linux x86_64)',
      'psu-accept-language': 'de-AT',
    });
    expect(psuHeaders(['psuIpAddress', 'psuUserAgent'], PRESENT_USER)).toEqual(
      psuHeaders(BOTH, PRESENT_USER),
    );
  });

  it('are only the address if nothing is required', () => {
    expect(psuHeaders([], PRESENT_USER)).toEqual({ 'psu-ip-address': '203.0.113.7' });
  });

  it.each([
    ['no user waits', BOTH, null],
    ['the bank requires an unknown header', [...BOTH, 'Psu-Geo-Location'], PRESENT_USER],
    ['the address is invalid', BOTH, { ...PRESENT_USER, ipAddress: 'unknown' }],
    ['a required value is empty', BOTH, { ...PRESENT_USER, userAgent: '' }],
    ['a value would break the header', BOTH, { ...PRESENT_USER, userAgent: 'a\r\nevil: 1' }],
    ['a value is too long', BOTH, { ...PRESENT_USER, userAgent: 'x'.repeat(1_001) }],
  ])('are none when %s', (_case, required, user) => {
    expect(psuHeaders(required, user)).toEqual({});
  });
});

describe('The requested end of a permission', () => {
  const now = new Date('2026-03-02T10:00:00Z');
  it.each([
    [90 * 86_400, '2026-05-31T09:00:00.000Z'],
    [180 * 86_400, '2026-08-29T09:00:00.000Z'],
    [730 * 86_400, '2026-08-29T09:00:00.000Z'],
    [3_600, '2026-03-02T10:54:00.000Z'],
    [1, '2026-03-02T10:00:00.000Z'],
  ])('of at most %i s is before the bound', (seconds, end) => {
    expect(validUntil(seconds, now).toISOString()).toBe(end);
  });
});

describe('The return from a bank', () => {
  const address = 'https://api.example/connect/oauth/callback';

  it('carries the code of the redirect that was started', () => {
    expect(codeOf(`${address}?code=abc&state=s1`, 's1')).toBe('abc');
  });

  it.each([
    ['of another redirect', '?code=abc&state=s2', 'internal'],
    ['without a state', '?code=abc', 'internal'],
    ['with two states', '?code=abc&state=s1&state=s2', 'internal'],
    ['of another redirect that was denied', '?error=access_denied&state=s2', 'internal'],
    ['of another issuer', '?code=abc&state=s1&iss=https://evil.example', 'internal'],
    ['of another issuer that was denied', '?error=access_denied&state=s1&iss=x', 'internal'],
    ['without a code', '?state=s1', 'internal'],
    ['with an empty code', '?code=&state=s1', 'internal'],
    ['with two codes', '?code=a&code=b&state=s1', 'internal'],
    ['that was denied', '?error=access_denied&state=s1', 'user_denied'],
    ['after a fault of the bank', '?error=server_error&state=s1', 'institution_down'],
    ['with an unknown error and a code', '?error=new&code=abc&state=s1', 'internal'],
  ])('%s is refused', (_case, query, cause) => {
    expect(() => codeOf(`${address}${query}`, 's1')).toThrow(
      expect.objectContaining({ name: 'ProviderFailure', providerCause: cause }),
    );
  });
});

describe('The days that a listing of several accounts covers', () => {
  const asked = { from: '2026-01-01', to: '2026-03-04' };
  it.each([
    ['all of them', ['2026-01-01', '2025-01-01'], asked],
    [
      'those that every account has',
      ['2026-02-01', '2026-01-15'],
      { ...asked, from: '2026-02-01' },
    ],
    ['none when one is not known', ['2026-01-01', null], null],
    ['none when one begins later', ['2026-01-01', '2026-03-05'], null],
    ['all when there is no account', [], asked],
  ])('are %s', (_case, starts, covered) => {
    expect(coveredBy(asked, starts)).toEqual(covered);
  });
});
