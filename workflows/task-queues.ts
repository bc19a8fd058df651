/** Workflows and the activities that only touch the database. */
export const LINKS_QUEUE = 'links';

/** Deliveries of webhooks: HTTP to customers never waits behind HTTP to banks. */
export const WEBHOOKS_QUEUE = 'webhooks';

/** One queue for each provider, so that its rate is the provider's limit. Activities only. */
export function providerQueue(provider: string): string {
  return `provider-${provider}`;
}

/** What only pretend sources can do, whichever provider they belong to. Activities only. */
export const SANDBOX_QUEUE = 'sandbox';
