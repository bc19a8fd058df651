import type { ProviderCause } from '../../../../domain/errors/provider-failure.js';
import { PRODUCTS } from '../../../../domain/link/products.js';
import { keptHeaders } from '../../../../domain/provider-webhooks/kept-headers.js';
import { consequencesOf } from '../../../../domain/provider-webhooks/webhook-consequences.js';
import type { WebhookEffect } from '../../../../domain/provider-webhooks/webhook-meaning.js';

const AT = new Date('2026-09-01T00:00:00Z');
const NOTHING = { lost: null, endsAt: undefined, products: [] };
const lost = (cause: ProviderCause): WebhookEffect => ({ kind: 'lost', reference: 'p1', cause });
const follows = (isVerified: boolean, ...effects: WebhookEffect[]) => {
  const { permissions, health } = consequencesOf({ isVerified, effects, refusal: null });
  return { permissions: Object.fromEntries(permissions), health: Object.fromEntries(health) };
};

describe('The consequences of a webhook of a source', () => {
  it.each<[string, WebhookEffect, object, object]>([
    [
      'more data: a fetch',
      { kind: 'refresh', reference: 'p1', products: ['transactions'] },
      { ...NOTHING, products: ['transactions'] },
      { ...NOTHING, products: ['transactions'] },
    ],
    [
      'a lost permission: the link needs its owner, or a fetch of accounts',
      lost('consent_expired'),
      { ...NOTHING, lost: 'consent_expired' },
      { ...NOTHING, products: ['accounts'] },
    ],
    [
      'a failure that passes by itself: a fetch of accounts',
      lost('institution_down'),
      { ...NOTHING, products: ['accounts'] },
      { ...NOTHING, products: ['accounts'] },
    ],
    [
      'a permission that works again: a fetch of everything',
      { kind: 'recovered', reference: 'p1' },
      { ...NOTHING, products: PRODUCTS },
      { ...NOTHING, products: PRODUCTS },
    ],
    [
      'a coming end: its time, or a fetch of accounts',
      { kind: 'ends', reference: 'p1', at: AT },
      { ...NOTHING, endsAt: AT },
      { ...NOTHING, products: ['accounts'] },
    ],
  ])('%s', (_, effect, verified, unverified) => {
    expect(follows(true, effect).permissions).toEqual({ p1: verified });
    expect(follows(false, effect).permissions).toEqual({ p1: unverified });
  });

  it('include the health of an institution only if the webhook is verified', () => {
    const effect: WebhookEffect = { kind: 'institution', remoteId: 'bank-1', health: 'down' };
    expect(follows(true, effect)).toEqual({ permissions: {}, health: { 'bank-1': 'down' } });
    expect(follows(false, effect)).toEqual({ permissions: {}, health: {} });
  });

  it('are merged by permission', () => {
    const of = (product: 'transactions' | 'identity', reference: string): WebhookEffect => ({
      kind: 'refresh',
      reference,
      products: [product],
    });
    expect(
      follows(true, of('transactions', 'p1'), of('identity', 'p1'), of('identity', 'p2')),
    ).toMatchObject({
      permissions: {
        p1: { products: ['identity', 'transactions'] },
        p2: { products: ['identity'] },
      },
    });
  });

  it.each(['signature', 'stale', 'malformed'] as const)(
    'are none if the webhook is refused: %s',
    (refusal) => {
      const effects = [lost('consent_expired')];
      const { permissions, health } = consequencesOf({ isVerified: true, effects, refusal });
      expect({ permissions: permissions.size, health: health.size }).toEqual({
        permissions: 0,
        health: 0,
      });
    },
  );
});

describe('The headers that are kept of a webhook', () => {
  it('are those that signatures need, in a fixed order', () => {
    expect(
      keptHeaders({
        'x-forwarded-for': '203.0.113.9',
        'Teller-Signature': 't=1,v1=a',
        'plaid-verification': 'a.b.c',
        cookie: 'session=1',
        'x-signature': ['one', 'two'],
        'content-type': 'application/json',
        'user-agent': 'sender/1',
        digest: undefined,
      }),
    ).toEqual({
      'content-type': 'application/json',
      'plaid-verification': 'a.b.c',
      'teller-signature': 't=1,v1=a',
      'x-signature': 'one, two',
    });
    expect(Object.keys(keptHeaders({ digest: 'd', authorization: 'a' }))).toEqual([
      'authorization',
      'digest',
    ]);
  });
});
