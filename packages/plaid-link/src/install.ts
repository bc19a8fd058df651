import type { PlaidConfig, PlaidHandler } from './config.js';
import { createHandler } from './handler.js';

export interface PlaidGlobal {
  create(config: PlaidConfig): PlaidHandler;
  createEmbedded(config: PlaidConfig, element: Element): { destroy(): void };
}

const CDN_SCRIPT = 'https://cdn.plaid.com/link/v2/stable/link-initialize.js';

/** Marks our `Plaid`, so that a second tag of this script finds the first one's. */
const OURS = Symbol.for('tributary.plaid-link');

/**
 * Defines `Plaid` on the page permanently. A page that loads the script twice keeps the first.
 * @param connectBaseUrl the address of Connect. Source: plaid-compat 10.1
 */
export function install(connectBaseUrl: string, page: Window & { Plaid?: unknown } = window): void {
  if (isOurs(page.Plaid)) return;
  const plaid: PlaidGlobal = {
    create: (config) => createHandler({ connectBaseUrl, config }),
    createEmbedded(config, container) {
      const handler = createHandler({ connectBaseUrl, config, container });
      handler.open();
      return { destroy: () => handler.destroy() };
    },
  };
  Object.defineProperty(plaid, OURS, { value: true });
  Object.defineProperty(page, 'Plaid', {
    enumerable: true,
    get: () => plaid,
    set: () => {
      console.warn(
        'Plaid: another script tried to replace the one that opens Tributary Connect. It was ignored.',
      );
    },
  });
  markAsLoaded(page.document);
}

function isOurs(value: unknown): boolean {
  return typeof value === 'object' && value !== null && OURS in value;
}

/**
 * Wrappers that find a tag with this address treat its script as loaded. With this type, the
 * browser fetches nothing.
 */
function markAsLoaded(document: Document): void {
  const tag = document.createElement('script');
  tag.type = 'text/plain';
  tag.src = CDN_SCRIPT;
  document.head.append(tag);
}
