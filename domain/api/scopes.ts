/** The scopes of an access token, each with the reach of its calls. Source: native-api 3.1. */
export const SCOPE_REACH = {
  'link_session:write': 'creates, reads and exchanges link sessions',
  'links:read': 'links and link sessions, without their accounts',
  'links:write': 'changes, resets, imports and disconnects links',
  'products:read':
    'everything of transactions:read, numbers:read, identity:read, investments:read and liabilities:read, and the whole export of a link',
  'transactions:read':
    'accounts, balances and transactions of a link, and its export without account numbers and owners',
  'numbers:read': 'account numbers of a link and of the counterparties in its transactions',
  'identity:read': 'owners of the accounts of a link',
  'investments:read': 'holdings and investment transactions of a link',
  'liabilities:read': 'debts of a link',
  'products:refresh': 'requests refreshes',
  'institutions:read': 'institutions',
  'users:read':
    'links, accounts, balances, transactions and the export of a user, with account numbers and owners only beside numbers:read and identity:read',
  'users:write': 'erases users',
  'users:share':
    'creates and revokes SimpleFIN credentials, which read accounts, balances and transactions of their user by themselves',
  'webhooks:test': 'sends test webhooks',
  'webhooks:read': 'webhook events and their deliveries',
  'webhooks:replay': 'sends webhook events again',
  'webhooks:listen': 'receives copies of webhooks by long poll',
  'sandbox:write': 'everything of the Sandbox that has no counterpart in Live',
} as const;
export type Scope = keyof typeof SCOPE_REACH;
export const SCOPES = Object.keys(SCOPE_REACH) as Scope[];

/** Scopes that include another one. */
const INCLUDES: Readonly<Partial<Record<Scope, readonly Scope[]>>> = {
  'products:read': [
    'transactions:read',
    'numbers:read',
    'identity:read',
    'investments:read',
    'liabilities:read',
  ],
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
