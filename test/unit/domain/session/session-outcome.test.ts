import { outcomeOf, type OutcomeFacts } from '../../../../domain/session/session-outcome.js';

const NOW = new Date('2026-03-02T10:15:00Z');
const AFTER = new Date('2026-03-02T10:45:00Z');
const BEFORE = new Date('2026-03-02T10:00:00Z');
const EXIT = {
  at: BEFORE.toISOString(),
  institutionId: null,
  searchedInVain: false,
  kind: null,
  purpose: null,
  problem: null,
};
const OPEN: OutcomeFacts = {
  mode: 'link',
  state: 'open',
  endReason: null,
  expiresAt: AFTER,
  succeededAt: null,
  exit: null,
};
const SUCCEEDED: OutcomeFacts = { ...OPEN, state: 'succeeded', succeededAt: BEFORE };

describe('The outcome of a link session', () => {
  it.each<[string, Partial<OutcomeFacts>, string | null]>([
    ['not opened yet', { state: 'created' }, null],
    ['in use', {}, null],
    ['waiting for its confirmation', { state: 'succeeded' }, null],
    ['finished for a new link', SUCCEEDED, 'linked'],
    ['finished for an existing link', { ...SUCCEEDED, mode: 'relink' }, 'relinked'],
    ['exchanged', { ...SUCCEEDED, state: 'ended', endReason: 'exchanged' }, 'linked'],
    [
      'never exchanged',
      { ...SUCCEEDED, state: 'ended', endReason: 'exchange_window_over' },
      'linked',
    ],
    [
      'expired after it repaired a link',
      { ...SUCCEEDED, mode: 'relink', state: 'ended', endReason: 'expired' },
      'relinked',
    ],
    ['left by its user', { exit: EXIT }, 'exited'],
    [
      'left by its user and expired later',
      { exit: EXIT, state: 'ended', endReason: 'expired' },
      'exited',
    ],
    ['past its time', { expiresAt: NOW }, 'expired'],
    ['expired unopened', { state: 'ended', endReason: 'expired', expiresAt: BEFORE }, 'expired'],
    ['replaced by a newer one', { state: 'ended', endReason: 'superseded' }, 'superseded'],
    [
      'left, then replaced by a newer one',
      { state: 'ended', endReason: 'superseded', exit: EXIT },
      'superseded',
    ],
    ['ended with its link', { state: 'ended', endReason: 'link_deleted' }, 'canceled'],
    ['ended with its user', { state: 'ended', endReason: 'user_erased' }, 'canceled'],
    ['ended by the operator', { state: 'ended', endReason: 'cancelled' }, 'canceled'],
  ])('that is %s', (_, over, outcome) => {
    expect(outcomeOf({ ...OPEN, ...over }, NOW)).toBe(outcome);
  });
});
