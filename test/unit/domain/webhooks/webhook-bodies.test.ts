import { renderWebhookBody } from '../../../../domain/webhooks/webhook-bodies.js';

describe('Webhook bodies (webhooks 2)', () => {
  const envelope = {
    idempotencyKey: '0190f3a2-6f1e-7c55-9b0a-2f4f6f1f7a10',
    timestamp: new Date('2026-03-02T10:15:30.120Z'),
    linkId: 'mk_7hGq2ZtVbXn9KsRw4MfPcD',
    linkTags: ['tier:gold'],
  };

  it('match the test vector of webhooks 4 byte for byte', () => {
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

  it('state whether the full history is available', () => {
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
