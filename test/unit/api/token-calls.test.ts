import { describe, expect, it } from 'vitest';
import { readCredentials } from '../../../apps/api/src/auth/client-credentials.js';
import { SecretVerifier } from '../../../apps/api/src/auth/secret-verifier.js';
import { TokenCache } from '../../../apps/api/src/auth/token-cache.js';
import type { TokenRecord } from '../../../prisma/repositories/access-token.repository.js';
import { hashClientSecret } from '../../../prisma/secrets/client-secret.js';

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const given = (clientId: string, secret: string, isBasic: boolean) => ({ kind: 'given', credentials: { clientId, secret, basic: isBasic } });

describe('credentials', () => {
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
  ])('of %j and %j', (header, form, expected) => expect(readCredentials(header, form)).toEqual(expected));
});

describe('a secret', () => {
  it('is right only for its own hash, also when it was verified before', async () => {
    const verifier = new SecretVerifier();
    const [stored, rotated] = [await hashClientSecret('s'), await hashClientSecret('t')];
    expect([await verifier.verify('s', stored), await verifier.verify('s', stored), await verifier.verify('t', stored), await verifier.verify('s', rotated), await verifier.verify('s', null)])
      .toEqual([true, true, false, false, false]);
  });
});

describe('what a token stands for', () => {
  const record = (clientId: string): TokenRecord => ({ clientId, appId: 'a', appName: 'A', environment: 'sandbox', scopes: [], expiresAt: new Date(0), disabledAt: null });

  it('is looked up once for a moment, unknown tokens and failures every time', async () => {
    let now = 0;
    let lookups = 0;
    const cache = new TokenCache(2_000, 2, () => now);
    const find = (found: TokenRecord | null) => async () => { lookups += 1; return found; };
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
});
