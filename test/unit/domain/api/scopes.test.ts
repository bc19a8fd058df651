import { parseScope, SCOPES } from '../../../../domain/api/scopes.js';

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
