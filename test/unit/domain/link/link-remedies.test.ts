import { ERROR_REMEDIES, remedyOf, STATE_REMEDIES } from '../../../../domain/link/link-remedies.js';
import { LINK_ERRORS, LINK_STATES } from '../../../../domain/link/link-state.js';

describe('The remedy of a link', () => {
  it.each(LINK_ERRORS)(
    'exists for the error %s, whose meaning and remedy are sentences',
    (error) => {
      const { title, meaning, remedy } = remedyOf('error', error);
      expect({ title, meaning, remedy }).toEqual(ERROR_REMEDIES[error]);
      for (const sentence of [meaning, remedy]) expect(sentence).toMatch(/^[A-Z].*\.$/);
      expect(title).not.toMatch(/\.$/);
    },
  );

  it.each(LINK_STATES.filter((state) => state !== 'error'))(
    'follows from the state %s',
    (state) => {
      expect(remedyOf(state, null)).toBe(STATE_REMEDIES[state]);
      expect(STATE_REMEDIES[state].meaning).toMatch(/^[A-Z].*\.$/);
    },
  );

  it('is a new sign-in exactly for the errors that only the account owner can end', () => {
    const signIn = LINK_ERRORS.filter((error) =>
      ERROR_REMEDIES[error].remedy?.includes('existing_link_id'),
    );
    expect(signIn).toEqual(['user_error', 'auth_expired', 'incomplete']);
  });
});
