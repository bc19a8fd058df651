import type { Environment } from '../api/environment.js';

/** Tokens of the compatibility layer. Source: plaid-compat 2. */
export type ItemTokenKind = 'link' | 'public' | 'access';

/** plaid-compat 2: Tributary's Live is `production` there. */
export const PLAID_ENVIRONMENTS = {
  sandbox: 'sandbox',
  live: 'production',
} as const satisfies Record<Environment, string>;

export function itemTokenPrefix(kind: ItemTokenKind, environment: Environment): string {
  return `${kind}-${PLAID_ENVIRONMENTS[environment]}-`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function isItemToken(text: string, kind: ItemTokenKind, environment: Environment): boolean {
  const prefix = itemTokenPrefix(kind, environment);
  return text.startsWith(prefix) && UUID.test(text.slice(prefix.length));
}
