import { describe, expect, it } from 'vitest';
import { comingEndWebhook, noticeDueAt } from '../../../../domain/plaid/coming-end.js';

const END = new Date('2026-03-09T00:00:00.000Z');

describe('the end of a permission to come (plaid-compat 8.1)', () => {
  it('is told 7 days ahead', () => {
    expect(noticeDueAt(END)).toEqual(new Date('2026-03-02T00:00:00.000Z'));
  });

  it.each(['US', 'CA'])('is a disconnection in %s', (country) => {
    expect(comingEndWebhook(country, END)).toEqual({
      webhook_type: 'ITEM',
      webhook_code: 'PENDING_DISCONNECT',
      reason: 'INSTITUTION_TOKEN_EXPIRATION',
      disconnect_time: '2026-03-09T00:00:00.000Z',
    });
  });

  it.each(['GB', 'DE', 'IE', 'NO'])('is an expiration in %s', (country) => {
    expect(comingEndWebhook(country, END)).toEqual({
      webhook_type: 'ITEM',
      webhook_code: 'PENDING_EXPIRATION',
      consent_expiration_time: '2026-03-09T00:00:00.000Z',
    });
  });
});
