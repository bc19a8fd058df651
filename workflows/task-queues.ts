import type { Environment } from '../domain/api/environment.js';

/** Workflows and the activities that only touch the database. */
export const LINKS_QUEUE = 'links';
/** The same for Sandbox: however much is to do there, it takes no slot of Live. */
export const SANDBOX_LINKS_QUEUE = 'links-sandbox';

export function linksQueue(environment: Environment | undefined): string {
  return environment === 'sandbox' ? SANDBOX_LINKS_QUEUE : LINKS_QUEUE;
}

/** Deliveries of webhooks: HTTP to customers never waits behind HTTP to banks. Activities only. */
export const WEBHOOKS_QUEUE = 'webhooks';
export const SANDBOX_WEBHOOKS_QUEUE = 'webhooks-sandbox';

/** For a workflow that runs on this queue. */
export function webhooksQueueBeside(taskQueue: string): string {
  return taskQueue === SANDBOX_LINKS_QUEUE ? SANDBOX_WEBHOOKS_QUEUE : WEBHOOKS_QUEUE;
}

/** One queue for each provider, so that its rate is the provider's limit. Activities only. */
export function providerQueue(provider: string): string {
  return `provider-${provider}`;
}

/** What only pretend sources can do, whichever provider they belong to. Activities only. */
export const SANDBOX_QUEUE = 'sandbox';

/** Advances of worlds, which take minutes: the short calls of `sandbox` do not wait for them. Activities only. */
export const WORLDS_QUEUE = 'sandbox-worlds';
