import { describe, expect, it } from 'vitest';
import { ClaimsInPace } from '../../../apps/webhooks/src/claims-in-pace.js';
import type { FirstAttemptClaim } from '../../../prisma/webhooks/webhook-delivery.repository.js';
import { eventually } from '../../support/assertions/eventually.js';

const OPTIONS = { limit: 1, holder: 1n, perEndpoint: 8, leaseMs: 1_000 };
const NOTHING: FirstAttemptClaim = { due: [], lastEndpoint: null };

/** A relay's claims, with a clock that is put forward; `calls` tells what was asked of the database. */
function setUp({ next = () => null }: { next?: (now: number) => Date | null } = {}) {
  const state = {
    now: 1_000_000,
    calls: [] as string[],
    woken: 0,
    claim: (): Promise<FirstAttemptClaim> => Promise.resolve(NOTHING),
  };
  const claims = new ClaimsInPace({
    deliveries: {
      claimFirstAttempts: () => {
        state.calls.push('claim');
        return state.claim();
      },
      release: () => Promise.resolve(),
    },
    replays: {
      restorePace: () => Promise.resolve(state.calls.push('restore')),
      nextStartAt: () => {
        state.calls.push('look');
        return Promise.resolve(next(state.now));
      },
    },
    wake: () => {
      state.woken += 1;
    },
    clock: () => new Date(state.now),
  });
  const after = async (ms: number) => {
    state.now += ms;
    state.calls.length = 0;
    await claims.claimFirstAttempts(OPTIONS);
    return state.calls;
  };
  return { state, claims, after };
}

describe('claims that keep replays to their pace', () => {
  it('put it right before the first claim and after an absence, and at no other time', async () => {
    const { after } = setUp();
    expect(await after(0)).toEqual(['restore', 'look', 'claim']);
    expect(await after(1_000)).toEqual(['look', 'claim']);
    expect(await after(3_000)).toEqual(['look', 'claim']);
    expect(await after(3_001)).toEqual(['restore', 'look', 'claim']);
  });

  it('put it right after the database was away, however often it was asked', async () => {
    const { state, claims, after } = setUp();
    await after(0);
    state.claim = () => Promise.reject(new Error('the database is away'));
    for (let round = 0; round < 5; round += 1) {
      state.now += 1_000;
      await expect(claims.claimFirstAttempts(OPTIONS)).rejects.toThrow('away');
    }
    state.claim = () => Promise.resolve(NOTHING);
    expect(await after(1_000)).toEqual(['restore', 'look', 'claim']);
  });

  it('are not made when the replay to come cannot be looked for: what is claimed would wait for the end of its lease', async () => {
    const { state, claims } = setUp({
      next: () => {
        throw new Error('the database is away');
      },
    });
    await expect(claims.claimFirstAttempts(OPTIONS)).rejects.toThrow('away');
    expect(state.calls).toEqual(['restore', 'look']);
  });

  it('look for a replay to come at most four times a second', async () => {
    const { after } = setUp();
    await after(0);
    expect(await after(249)).toEqual(['claim']);
    expect(await after(1)).toEqual(['look', 'claim']);
    expect(await after(100)).toEqual(['claim']);
  });

  it('wake the relay when the next replay starts', async () => {
    const { state, after } = setUp({ next: (now) => new Date(now + 50) });
    await after(0);
    expect(state.woken).toBe(0);
    await eventually(() => expect(state.woken).toBe(1));
    expect(await after(49)).toEqual(['claim']);
    expect(await after(1)).toEqual(['look', 'claim']);
    await eventually(() => expect(state.woken).toBe(2));
  });
});
