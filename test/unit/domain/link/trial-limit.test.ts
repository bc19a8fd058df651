import type { LinkState } from '../../../../domain/link/link-state.js';
import { countsTowardLimit } from '../../../../domain/link/trial-limit.js';

it.each<[LinkState, boolean, boolean]>([
  ['connecting', false, true],
  ['awaiting_token_exchange', false, true],
  ['connected', true, true],
  ['error', true, true],
  ['error', false, false],
  ['deleted', true, false],
  ['deleted', false, false],
])(
  'A link in %s (connected before: %s) counts toward the trial limit: %s',
  (state, everConnected, counts) => {
    expect(
      countsTowardLimit({ state, everConnected, error: state === 'error' ? 'user_error' : null }),
    ).toBe(counts);
  },
);
