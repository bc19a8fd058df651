import {
  deadlinesAtOpening,
  idleDeadline,
  unopenedDeadline,
} from '../../../../domain/session/session-deadline.js';

describe('Session deadlines (link-lifecycle 3)', () => {
  const lifetimes = { unopenedMs: 30 * 60_000, idleMs: 30 * 60_000, totalMs: 60 * 60_000 };
  const at = (minutes: number) => new Date(Date.UTC(2026, 2, 2, 10, minutes));

  it('end an unopened session 30 minutes after its creation', () => {
    expect(unopenedDeadline(at(0), lifetimes)).toEqual(at(30));
  });

  it('end an opened session 30 minutes after its last step and 60 minutes after its opening', () => {
    const { expiresAt, totalExpiresAt } = deadlinesAtOpening(at(5), lifetimes);
    expect({ expiresAt, totalExpiresAt }).toEqual({ expiresAt: at(35), totalExpiresAt: at(65) });
    expect(idleDeadline(at(20), totalExpiresAt, lifetimes)).toEqual(at(50));
    expect(idleDeadline(at(50), totalExpiresAt, lifetimes)).toEqual(at(65));
  });
});
