import { listsOrigin } from '../../../apps/console/src/screens/sandbox/lists-origin.js';
import { withoutTokens } from '../../../apps/console/src/screens/sandbox/without-tokens.js';

describe('Connect in the console', () => {
  it('is offered by an app that lists no origin, or that of the console', () => {
    const origin = 'http://127.0.0.1:4200';
    expect(listsOrigin([], origin)).toBe(true);
    expect(listsOrigin(['https://app.example', origin], origin)).toBe(true);
    expect(listsOrigin(['https://app.example'], origin)).toBe(false);
  });

  it('shows the kind of each token of a callback, and nothing else of it', () => {
    const shown = withoutTokens({
      exchangeable_token: 'sandbox_xt_canary',
      inner: [{ confirmation_token: 'sandbox_xt_canary_2', session_id: 'ses_1' }],
    });
    expect(shown).not.toContain('canary');
    expect(JSON.parse(shown)).toEqual({
      exchangeable_token: 'sandbox_xt_…',
      inner: [{ confirmation_token: 'sandbox_xt_…', session_id: 'ses_1' }],
    });
  });
});
