import { comingEndWebhook } from '../../../../domain/plaid/coming-end.js';
import { PLAID_FORMAT } from '../../../../domain/plaid/plaid-format.js';

const END = new Date('2026-03-09T00:00:00.000Z');

describe('The notice that a permission will expire (plaid-compat 8.1)', () => {
  it('is due 7 days before the end', () => {
    expect(PLAID_FORMAT.permissionNoticesMs).toEqual([7 * 86_400_000]);
  });

  it.each(['US', 'CA'])('announces a disconnection in %s', (country) => {
    expect(comingEndWebhook(country, END)).toEqual({
      webhook_type: 'ITEM',
      webhook_code: 'PENDING_DISCONNECT',
      reason: 'INSTITUTION_TOKEN_EXPIRATION',
      disconnect_time: '2026-03-09T00:00:00.000Z',
    });
  });

  it.each(['GB', 'DE', 'IE', 'NO'])('announces an expiration in %s', (country) => {
    expect(comingEndWebhook(country, END)).toEqual({
      webhook_type: 'ITEM',
      webhook_code: 'PENDING_EXPIRATION',
      consent_expiration_time: '2026-03-09T00:00:00.000Z',
    });
  });
});
