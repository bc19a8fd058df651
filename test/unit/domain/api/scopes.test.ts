import { parseScope, permits, SCOPES } from '../../../../domain/api/scopes.js';

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

describe('permits (native-api 3.1)', () => {
  it('includes account numbers and identities in products:read, and nothing the other way', () => {
    const pairs = SCOPES.flatMap((held) =>
      SCOPES.filter((needed) => needed !== held && permits([held], needed)).map((needed) => [
        held,
        needed,
      ]),
    );
    expect(pairs).toEqual([
      ['products:read', 'numbers:read'],
      ['products:read', 'identity:read'],
    ]);
  });
});
