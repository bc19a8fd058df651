import type { RefreshSteps } from '../../support/fixtures/refresh-steps.js';
import { refreshAfterUpdate } from '../../support/fixtures/fetching-link.js';
import { representatives } from '../../support/runner/representatives.js';
import {
  storeLink,
  announcementsOf,
  versionsOf,
  type Storage,
  type StoredLink,
  storageOfFile,
  storage,
} from '../../support/fixtures/stored-link.js';
import {
  ask,
  DOWN,
  linkOf,
  type Loss,
  type Outcomes,
  runs,
  standing,
  workOff,
} from './support/faulty-runs.js';

storageOfFile();

/** Everything that an app can see of it, and the counts. */
async function shownOf(link: StoredLink) {
  const { faultyRuns } = await linkOf(link);
  const products = await storage.ctx.database.prisma.linkProduct.findMany({
    where: { linkPk: link.pk },
    orderBy: { position: 'asc' },
  });
  return {
    standing: await standing(link),
    faultyRuns,
    announced: await announcementsOf(storage, link),
    rows: (await versionsOf(storage, link)).length,
    products: products.map(({ product, state, errorCode, refreshedAt }) => [
      product,
      state,
      errorCode,
      refreshedAt === null,
    ]),
  };
}

describe('A run whose worker is killed', () => {
  const PLANS: [string, Outcomes][] = [
    ['a sound bank', { accounts: 'stored', transactions: 'stored' }],
    ['a bank that is down', DOWN],
    ['a bank that provides one product', { accounts: 'institution_down', transactions: 'stored' }],
    ['an expired permission', { accounts: 'stored', transactions: 'consent_expired' }],
  ];

  /** The reads of the source, and the steps, of the run and of both of its products. */
  const SOURCES: [string, (storage: Storage) => RefreshSteps, steps: number][] = [
    ['read at once', ({ refresh }) => refresh, 2 + 2],
    ['updated first', refreshAfterUpdate, 2 + 4],
  ];

  // Already down twice: a run that counted twice, or not at all, would be visible in the state of
  // the link.
  const stories = SOURCES.flatMap(([source, refreshOf, steps]) =>
    PLANS.map(([plan, outcomes]) => [plan, source, outcomes, refreshOf, steps] as const),
  );
  // A sound bank, one that is down, and one whose update comes before a read that fails and one that succeeds.
  const killed = representatives(stories, ([plan, source]) =>
    source === 'read at once'
      ? ['a sound bank', 'a bank that is down'].includes(plan)
      : plan === 'a bank that provides one product',
  );
  it.each(killed)(
    'has the same result as an undisturbed run when it is killed after any step, with %s and a source that is %s',
    async (_plan, _source, outcomes, refreshOf, steps) => {
      const refresh = refreshOf(storage);
      const quiet = await storeLink(storage);
      await runs(quiet, 2, DOWN);
      await ask(quiet, outcomes);
      const whole: Loss = { at: -1, taken: 0 };
      await workOff(quiet, outcomes, whole, refresh);
      const undisturbed = await shownOf(quiet);
      expect(whole.taken).toBe(steps);
      for (let at = 0; at < whole.taken; at += 1) {
        const link = await storeLink(storage);
        await runs(link, 2, DOWN);
        await ask(link, outcomes);
        await workOff(link, outcomes, { at, taken: 0 }, refresh);
        expect({ at, ...(await shownOf(link)) }).toEqual({ at, ...undisturbed });
      }
    },
  );
});
