import { isTokenShaped } from '../../../../domain/api/token-format.js';

describe('isTokenShaped (link-lifecycle 3)', () => {
  it.each(['sandbox_ls_Ab-_9', 'x'.repeat(256)])('accepts the token "%s"', (text) => {
    expect(isTokenShaped(text)).toBe(true);
  });

  it.each(['', 'a b', 'x'.repeat(257)])('rejects the token "%s"', (text) => {
    expect(isTokenShaped(text)).toBe(false);
  });
});
