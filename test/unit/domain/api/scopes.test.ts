import {
  parseScope,
  permits,
  SCOPES,
  scopesOfPair,
  sharedScopes,
} from '../../../../domain/api/scopes.js';

describe('parseScope (native-api 3.1)', () => {
  it('returns every scope when the text is empty or missing', () => {
    expect(parseScope(undefined)).toEqual(SCOPES);
    expect(parseScope('  ')).toEqual(SCOPES);
  });

  it('returns each requested scope once', () => {
    expect(parseScope('links:read products:read links:read')).toEqual([
      'links:read',
      'products:read',
    ]);
  });

  it('returns null when a scope is unknown', () => {
    expect(parseScope('links:read links:own')).toBeNull();
  });
});

describe('The scopes of a limited key pair (native-api 3.1)', () => {
  it('are what an empty scope asks for, and the most that a named one may', () => {
    expect(parseScope('', ['products:read'])).toEqual(['products:read']);
    expect(parseScope('numbers:read', ['products:read'])).toEqual(['numbers:read']);
    expect(parseScope('products:read', ['numbers:read'])).toBeNull();
  });

  it('are none where none of the chosen names is known', () => {
    expect(scopesOfPair(['later:read'], { isRestricted: false })).toEqual([]);
  });

  it('bound those of its tokens, whichever of the two is narrower', () => {
    const cases = SCOPES.flatMap((token) => SCOPES.map((pair) => [token, pair] as const));
    for (const [token, pair] of cases) {
      const shared = sharedScopes([token], [pair]);
      const allowed = SCOPES.filter((scope) => permits(shared, scope));
      expect({ token, pair, allowed }).toEqual({
        token,
        pair,
        allowed: SCOPES.filter((scope) => permits([token], scope) && permits([pair], scope)),
      });
    }
  });
});

describe('permits (native-api 3.1)', () => {
  it('includes the scopes of single products in products:read, and nothing in any other scope', () => {
    const pairs = SCOPES.flatMap((held) =>
      SCOPES.filter((needed) => needed !== held && permits([held], needed)).map((needed) => [
        held,
        needed,
      ]),
    );
    expect(pairs).toEqual([
      ['products:read', 'transactions:read'],
      ['products:read', 'numbers:read'],
      ['products:read', 'identity:read'],
      ['products:read', 'investments:read'],
      ['products:read', 'liabilities:read'],
    ]);
  });
});
