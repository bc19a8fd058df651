/** The scopes of an access token. Source: native-api 3.1. */
export const SCOPES = [
  'link_session:write',
  'links:read',
  'links:write',
  'products:read',
  'numbers:read',
  'identity:read',
  'products:refresh',
  'institutions:read',
  'users:read',
  'users:write',
  'webhooks:test',
  'webhooks:read',
  'webhooks:replay',
  'sandbox:write',
] as const;
export type Scope = (typeof SCOPES)[number];

/** Scopes that include another one. */
const INCLUDES: Readonly<Partial<Record<Scope, readonly Scope[]>>> = {
  'products:read': ['numbers:read', 'identity:read'],
};

/** Returns whether a token with these scopes may make a call that needs `scope`. */
export function permits(scopes: readonly Scope[], scope: Scope): boolean {
  return scopes.some((each) => each === scope || INCLUDES[each]?.includes(scope) === true);
}

export function isScope(value: string): value is Scope {
  return (SCOPES as readonly string[]).includes(value);
}

/**
 * Parses a space-separated scope; empty or missing = all scopes. Returns null if a name is unknown.
 */
export function parseScope(text: string | undefined): Scope[] | null {
  const names = [...new Set((text ?? '').split(' ').filter((name) => name !== ''))];
  if (names.length === 0) return [...SCOPES];
  return names.every(isScope) ? names : null;
}
