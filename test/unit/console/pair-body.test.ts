import { EVERY_CALL, pairBody } from '../../../apps/console/src/screens/keys/pair-body.js';

const NOW = new Date('2026-03-02T10:00:00Z');

describe('The call that creates a key pair from the console', () => {
  it('names nothing that was not chosen', () => {
    expect(pairBody(EVERY_CALL, NOW)).toEqual({});
    expect(pairBody({ ...EVERY_CALL, label: '  ' }, NOW)).toEqual({});
  });

  it('has the label, the scopes, the share, and an end that is days away', () => {
    expect(
      pairBody({ label: ' CI ', scopes: ['links:read'], days: '30', share: '10' }, NOW),
    ).toEqual({
      label: 'CI',
      scopes: ['links:read'],
      ends_at: '2026-04-01T10:00:00.000Z',
      share_percent: 10,
    });
  });
});
