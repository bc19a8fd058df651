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
  'users:share',
  'webhooks:test',
  'webhooks:read',
  'webhooks:replay',
  'webhooks:listen',
  'sandbox:write',
] as const;
export type Scope = (typeof SCOPES)[number];

/** Scopes that include another one. */
const INCLUDES: Readonly<Partial<Record<Scope, readonly Scope[]>>> = {
  'products:read': ['numbers:read', 'identity:read'],
};

/**
 * Scopes whose calls affect others than single users or links, such as faults of a whole bank. A
 * key pair that is limited to users or links never has them.
 */
const OF_WHOLE_APP: readonly Scope[] = ['sandbox:write'];

/** Returns whether a token with these scopes may make a call that needs `scope`. */
export function permits(scopes: readonly Scope[], scope: Scope): boolean {
  return scopes.some((each) => each === scope || INCLUDES[each]?.includes(scope) === true);
}

export function isScope(value: string): value is Scope {
  return (SCOPES as readonly string[]).includes(value);
}

/**
 * Parses a space-separated scope; empty or missing = all that the key pair may have. Returns null if
 * a name is unknown or the pair may not have it.
 */
export function parseScope(
  text: string | undefined,
  ofPair: readonly Scope[] = SCOPES,
): Scope[] | null {
  const names = [...new Set((text ?? '').split(' ').filter((name) => name !== ''))];
  if (names.length === 0) return [...ofPair];
  return names.every((name): name is Scope => isScope(name) && permits(ofPair, name))
    ? names
    : null;
}

/** The scopes of a key pair. `chosen`: null = all. */
export function scopesOfPair(
  chosen: readonly string[] | null,
  { isRestricted }: { isRestricted: boolean },
): readonly Scope[] {
  const scopes = chosen?.filter(isScope) ?? SCOPES;
  return isRestricted ? scopes.filter((scope) => !OF_WHOLE_APP.includes(scope)) : scopes;
}

/** The scopes that a token and its key pair both permit: the pair may have been narrowed since. */
export function sharedScopes(
  ofToken: readonly Scope[],
  ofPair: readonly Scope[],
): readonly Scope[] {
  const kept = ofToken.filter((scope) => permits(ofPair, scope));
  const narrower = ofPair.filter((scope) => !permits(kept, scope) && permits(ofToken, scope));
  return [...kept, ...narrower];
}
