import type { Environment } from '../domain/api/environment.js';

/** Workflows and the activities that touch only the database. */
export const LINKS_QUEUE = 'links';
/** The same for Sandbox, so that its load occupies no Live slots. */
export const SANDBOX_LINKS_QUEUE = 'links-sandbox';

export function linksQueue(environment: Environment | undefined): string {
  return environment === 'sandbox' ? SANDBOX_LINKS_QUEUE : LINKS_QUEUE;
}

/** Webhook deliveries: HTTP to customers never waits behind HTTP to banks. Activities only. */
export const WEBHOOKS_QUEUE = 'webhooks';
export const SANDBOX_WEBHOOKS_QUEUE = 'webhooks-sandbox';

/** The webhooks queue of the same environment. */
export function webhooksQueueBeside(taskQueue: string): string {
  return taskQueue === SANDBOX_LINKS_QUEUE ? SANDBOX_WEBHOOKS_QUEUE : WEBHOOKS_QUEUE;
}

/** One queue per provider, so that its rate is the provider's limit. Activities only. */
export function providerQueue(provider: string): string {
  return `provider-${provider}`;
}

/** Commands that only sandbox providers support, for all of them. Activities only. */
export const SANDBOX_QUEUE = 'sandbox';

/**
 * Advances of worlds, which take minutes, so that the short calls of `sandbox` do not wait for
 * them. Activities only.
 */
export const WORLDS_QUEUE = 'sandbox-worlds';
