import {
  updateStreams,
  type StreamUpdateDeps,
} from '../../../activities/refresh/update-streams.js';
import { createStreamUpdates } from '../../../apps/worker/src/parts/stream-updates.js';
import type { Logger } from '../../../apps/platform/src/logging/logger.js';
import type { Context } from '../../../prisma/base/context.js';

describe('updateStreams', () => {
  const steps: string[] = [];
  const deps = (isOutdated: boolean): StreamUpdateDeps => ({
    searches: {
      outdated: async (linkId) => {
        steps.push('look');
        const known = {
          headSeq: 3n,
          day: '2026-03-01',
          searchedAt: new Date('2026-03-01T00:00:00Z'),
          lastPlace: 0,
          streams: [],
        };
        return isOutdated ? { linkId, linkPk: 1n, known, headSeq: 4n, day: '2026-03-02' } : null;
      },
      rows: async () => {
        steps.push('read rows');
        return [];
      },
      replaceAndAnnounce: async ({ headSeq }, found) => {
        steps.push(`replace at ${headSeq} with ${found.length}`);
      },
    },
    search: async (_, day) => {
      steps.push(`search on ${day}`);
      return [];
    },
    inTurn: (work) => {
      steps.push('wait for a turn');
      return work();
    },
  });
  beforeEach(() => steps.splice(0));

  it('looks once at a link whose recurring payments are current or were never read', async () => {
    await updateStreams(deps(false), 'mk_1');
    expect(steps).toEqual(['look']);
  });

  it('reads the rows of an outdated search only when its turn comes', async () => {
    await updateStreams(deps(true), 'mk_1');
    expect(steps).toEqual([
      'look',
      'wait for a turn',
      'read rows',
      'search on 2026-03-02',
      'replace at 4 with 0',
    ]);
  });
});

it('A failed update of recurring payments is logged, and does not fail the fetch before it', async () => {
  const down = new Error('the database is down');
  const ctx = { database: { pool: { query: () => Promise.reject(down) } } } as unknown as Context;
  const logged: unknown[] = [];
  const warn = (...line: unknown[]) => logged.push(line);
  const update = createStreamUpdates(ctx, { warn } as unknown as Logger);
  await update('mk_1');
  await update('mk_2');
  expect(logged).toEqual([
    [{ link_id: 'mk_1', err: down }, 'recurring.not_updated'],
    [{ link_id: 'mk_2', err: down }, 'recurring.not_updated'],
  ]);
});
