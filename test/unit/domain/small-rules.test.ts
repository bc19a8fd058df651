import { describe, expect, it } from 'vitest';
import { parseScope, SCOPES } from '../../../domain/api/scopes.js';
import {
  deadlinesAtOpening,
  idleDeadline,
  unopenedDeadline,
} from '../../../domain/session/session-deadline.js';
import { distinctTags, isTag } from '../../../domain/link/tags.js';
import { isTokenShaped } from '../../../domain/api/token-format.js';
import { isTransactionCategory } from '../../../domain/transactions/transaction-categories.js';
import { renderWebhookBody } from '../../../domain/webhooks/webhook-bodies.js';

describe('scopes (native-api 3.1)', () => {
  it('empty or missing means everything', () => {
    expect(parseScope(undefined)).toEqual(SCOPES);
    expect(parseScope('  ')).toEqual(SCOPES);
  });

  it('keeps what was asked for and refuses unknown names', () => {
    expect(parseScope('links:read products:read links:read')).toEqual([
      'links:read',
      'products:read',
    ]);
    expect(parseScope('links:read links:own')).toBeNull();
  });
});

describe('tags (link-lifecycle 2.1)', () => {
  it.each([
    ['tier:gold', true],
    ['é', true],
    ['9', true],
    ['x'.repeat(99), true],
    ['x'.repeat(100), false],
    ['', false],
    [':x', false],
    [' x', false],
  ])('"%s": %s', (tag, legal) => {
    expect(isTag(tag)).toBe(legal);
  });

  it('drops repeats', () => {
    expect(distinctTags(['b', 'a', 'b'])).toEqual(['b', 'a']);
  });
});

describe('time limits of a session (link-lifecycle 3)', () => {
  const lifetimes = { unopenedMs: 30 * 60_000, idleMs: 30 * 60_000, totalMs: 60 * 60_000 };
  const at = (minutes: number) => new Date(Date.UTC(2026, 2, 2, 10, minutes));

  it('an unopened one ends 30 min after it was made', () => {
    expect(unopenedDeadline(at(0), lifetimes)).toEqual(at(30));
  });

  it('an opened one ends 30 min after the last step, and 60 min after opening in any case', () => {
    const { expiresAt, totalExpiresAt } = deadlinesAtOpening(at(5), lifetimes);
    expect([expiresAt, totalExpiresAt]).toEqual([at(35), at(65)]);
    expect(idleDeadline(at(20), totalExpiresAt, lifetimes)).toEqual(at(50));
    expect(idleDeadline(at(50), totalExpiresAt, lifetimes)).toEqual(at(65));
  });
});

describe('shapes', () => {
  it.each([
    ['sandbox_ls_Ab-_9', true],
    ['', false],
    ['a b', false],
    ['x'.repeat(256), true],
    ['x'.repeat(257), false],
  ])('a token "%s": %s', (text, legal) => {
    expect(isTokenShaped(text)).toBe(legal);
  });

  it.each([
    ['food_and_drink.coffee_shops', true],
    ['general.other', true],
    ['income.other', true],
    ['income', false],
    ['income.gold', false],
    ['__proto__.other', false],
    ['income.wages.x', false],
  ])('a category "%s": %s', (text, legal) => {
    expect(isTransactionCategory(text)).toBe(legal);
  });
});

describe('webhook bodies (webhooks 2)', () => {
  const envelope = {
    idempotencyKey: '0190f3a2-6f1e-7c55-9b0a-2f4f6f1f7a10',
    timestamp: new Date('2026-03-02T10:15:30.120Z'),
    linkId: 'mk_7hGq2ZtVbXn9KsRw4MfPcD',
    linkTags: ['tier:gold'],
  };

  it('are, byte for byte, the test vector of webhooks 4', () => {
    expect(
      renderWebhookBody(
        {
          webhook_event: 'link.state_changed',
          state: 'connected',
          error: null,
          error_message: null,
        },
        envelope,
      ),
    ).toBe(
      '{"webhook_event":"link.state_changed","webhook_major_version":1,"webhook_minor_version":0,"webhook_idempotency_key":"0190f3a2-6f1e-7c55-9b0a-2f4f6f1f7a10","webhook_timestamp":"2026-03-02T10:15:30.120+00:00","link_id":"mk_7hGq2ZtVbXn9KsRw4MfPcD","link_tags":["tier:gold"],"state":"connected","error":null,"error_message":null}',
    );
  });

  it('write state_changed_at with an offset', () => {
    const body: unknown = JSON.parse(
      renderWebhookBody(
        {
          webhook_event: 'link.product_refresh',
          product: 'accounts',
          state: 'completed',
          state_changed_at: '2026-03-02T10:15:30.000Z',
          error_message: null,
        },
        envelope,
      ),
    );
    expect(body).toMatchObject({
      product: 'accounts',
      state: 'completed',
      state_changed_at: '2026-03-02T10:15:30.000+00:00',
      error_message: null,
    });
  });

  it('say whether the full history is there', () => {
    expect(
      JSON.parse(
        renderWebhookBody(
          { webhook_event: 'transactions.updates_available', has_history: true },
          { ...envelope, linkTags: [] },
        ),
      ),
    ).toMatchObject({ has_history: true, link_tags: [] });
  });
});
