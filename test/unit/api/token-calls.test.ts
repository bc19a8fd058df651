import { readCredentials } from '../../../apps/api/src/auth/client-credentials.js';
import { FailedChecks } from '../../../apps/api/src/auth/failed-checks.js';
import { KnownSecrets } from '../../../apps/api/src/auth/known-secrets.js';
import { TokenCache } from '../../../apps/api/src/auth/token-cache.js';
import { addressBlock } from '../../../apps/platform/src/limits/address-block.js';
import type { TokenRecord } from '../../../prisma/tenants/applications/access-token.repository.js';

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const given = (clientId: string, secret: string, isBasic: boolean) => ({
  kind: 'given',
  credentials: { clientId, secret, basic: isBasic },
});

describe('Client credentials', () => {
  it.each([
    [undefined, { client_id: 'a', client_secret: 's' }, given('a', 's', false)],
    [basic('a:s'), {}, given('a', 's', true)],
    [basic('a:s:t'), {}, given('a', 's:t', true)],
    [basic('a%3A:s%2F'), {}, given('a:', 's/', true)],
    [basic('a:100%'), {}, given('a', '100%', true)],
    [basic('a:s'), { client_id: 'a', client_secret: 'other' }, given('a', 's', true)],
    [basic('a:s'), { client_id: 'b' }, { kind: 'conflict' }],
    ['Bearer x', { client_id: 'a', client_secret: 's' }, given('a', 's', false)],
    [undefined, { client_id: 'a' }, { kind: 'missing', basic: false }],
    [undefined, { client_id: '', client_secret: 's' }, { kind: 'missing', basic: false }],
    ['Basic', {}, { kind: 'missing', basic: true }],
    [basic('a'), {}, { kind: 'missing', basic: true }],
    [basic(':s'), {}, { kind: 'missing', basic: true }],
    [basic('a\u0000:s'), {}, { kind: 'missing', basic: true }],
  ])('are read from %j and %j', (header, form, expected) =>
    expect(readCredentials(header, form)).toEqual(expected),
  );
});

describe('A verified secret', () => {
  it('is remembered for its client only, beside others of the client, until it is discarded', () => {
    const known = new KnownSecrets();
    known.remember('a', 's');
    known.remember('a', 'u');
    expect({
      known: known.has('a', 's'),
      otherSecret: known.has('a', 't'),
      otherId: known.has('b', 's'),
    }).toEqual({ known: true, otherSecret: false, otherId: false });
    known.forget('a', 's');
    expect(known.has('a', 's')).toBe(false);
  });
});

describe('Failed credential checks', () => {
  const fail = async () => null;
  const succeed = async () => 'right';

  it('are refused after the allowed number of failures until time has passed', async () => {
    let now = 0;
    const checks = new FailedChecks({ perSecond: 1, burst: 2 }, () => now);
    await Promise.all([checks.run('a', fail), checks.run('a', fail)]);
    await expect(checks.run('a', succeed)).rejects.toMatchObject({
      code: 'api_error.rate_limit_exceeded',
      details: { retryAfterSeconds: 1 },
    });
    expect(await checks.run('b', succeed)).toBe('right');
    now = 1_000;
    expect(await checks.run('a', succeed)).toBe('right');
    expect(await checks.run('a', fail)).toBeNull();
    await expect(checks.run('a', succeed)).rejects.toMatchObject({
      code: 'api_error.rate_limit_exceeded',
    });
  });

  it('occupy a slot while they run, and others wait for it', async () => {
    const checks = new FailedChecks({ perSecond: 1, burst: 2 }, () => 0);
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) => checks.run('a', index < 20 ? succeed : fail)),
    );
    expect(results.slice(0, 20).map(({ status }) => status)).toEqual(
      Array.from({ length: 20 }, () => 'fulfilled'),
    );
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(28);
  });

  it('do not include checks that throw', async () => {
    const checks = new FailedChecks({ perSecond: 1, burst: 1 }, () => 0);
    await expect(checks.run('a', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(await checks.run('a', succeed)).toBe('right');
  });
});

describe('The address block of a client', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', 'unknown'],
    ['a text of a caller', 'unknown'],
  ])('%s is %s', (address, block) => expect(addressBlock(address)).toBe(block));
});

describe('The cached meaning of an access token', () => {
  const record = (clientId: string): TokenRecord => ({
    clientId,
    appId: 'a',
    appName: 'A',
    environment: 'sandbox',
    scopes: [],
    expiresAt: new Date(0),
    isActive: true,
    clientEndsAt: null,
  });

  it('is looked up once for a moment, while unknown tokens and failures are looked up every time', async () => {
    let now = 0;
    let lookups = 0;
    const cache = new TokenCache({ lifetimeMs: 2_000, maxEntries: 2, now: () => now });
    cache.resume();
    const find = (found: TokenRecord | null) => async () => {
      lookups += 1;
      return found;
    };
    await Promise.all([cache.get('a', find(record('a'))), cache.get('a', find(record('a')))]);
    expect(lookups).toBe(1);
    now = 2_000;
    await cache.get('a', find(record('a')));
    expect(lookups).toBe(2);
    await cache.get('unknown', find(null));
    await cache.get('unknown', find(null));
    expect(lookups).toBe(4);
    await expect(cache.get('b', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(await cache.get('b', find(record('b')))).toMatchObject({ clientId: 'b' });
    await cache.get('c', find(record('c')));
    await cache.get('a', find(record('a')));
    expect(lookups).toBe(7);
  });

  it('is looked up again after a client changed, and every time while change notifications cannot be received', async () => {
    let lookups = 0;
    const cache = new TokenCache({ lifetimeMs: 2_000, maxEntries: 2, now: () => 0 });
    const look = () =>
      cache.get('a', async () => {
        lookups += 1;
        return record('a');
      });
    await look();
    await look();
    expect(lookups).toBe(2);
    cache.resume();
    await look();
    await look();
    expect(lookups).toBe(3);
    cache.clear();
    await look();
    expect(lookups).toBe(4);
    cache.pause();
    await look();
    await look();
    expect(lookups).toBe(6);
  });
});
