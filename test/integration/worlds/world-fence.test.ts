import { DEFAULT_REFRESH_RULES } from '../../../prisma/work/refresh/count-run.js';
import { transitionLink } from '../../../prisma/links/link/link-transition.js';
import { storeCredential } from '../../../prisma/sources/permissions/provider-credential.js';
import {
  WorldRunRepository,
  type RunOutcome,
} from '../../../prisma/work/sandbox/world-run.repository.js';
import { WorldRepository } from '../../../prisma/worlds/world.repository.js';
import {
  account,
  row,
  storeLink,
  TENANT,
  announcementsOf,
  versionsOf,
  type StoredLink,
  storageOfFile,
  storage,
} from '../../support/fixtures/stored-link.js';

storageOfFile();

let runs: WorldRunRepository;
beforeAll(() => {
  runs = new WorldRunRepository(storage.ctx, DEFAULT_REFRESH_RULES);
});

const START = new Date('2026-03-02T00:00:00.000Z');
const HOUR_MS = 3_600_000;
const after = (hours: number) => new Date(START.getTime() + hours * HOUR_MS);
const TURN = {
  products: ['accounts', 'transactions'] as const,
  nextDueAt: after(6),
  slowDueAt: null,
};
const FETCHED: RunOutcome[] = [
  {
    kind: 'fetched',
    fetched: {
      product: 'accounts',
      accounts: [account('checking', { name: 'Renamed' }), account('card')],
    },
  },
  {
    kind: 'fetched',
    fetched: {
      product: 'transactions',
      transactions: [row('a'), row('b')],
      window: null,
      postedIdsDiffer: false,
    },
  },
];
const REFUSED: RunOutcome[] = [{ kind: 'failed', product: 'accounts', cause: 'consent_expired' }];

let worlds = 0;

/** A link in a world of its own that is being advanced. */
async function linkInWorld() {
  const { ctx } = storage;
  worlds += 1;
  const world = { appId: TENANT.appId, worldId: `wld_${worlds}` };
  await ctx.database.prisma.sandboxWorld.create({
    data: { ...world, sourceRef: world.worldId, name: 'march', seed: 7n, now: START },
  });
  const link = await storeLink(storage);
  await ctx.database.prisma.link.update({
    where: { pk: link.pk },
    data: { worldId: world.worldId, nextDueAt: START },
  });
  await ctx.database.transaction((tx) =>
    storeCredential(ctx, tx, link, {
      provider: 'sandbox',
      reference: 'one',
      credential: Buffer.from('one'),
    }),
  );
  await new WorldRepository(ctx).setTarget(world, after(24));
  return { world, link };
}

const startedRun = async ({ world, link }: Awaited<ReturnType<typeof linkInWorld>>) => {
  const run = (
    await runs.takeTurn(world, link.linkId, { ...TURN, products: [...TURN.products] }, after(1))
  )?.run;
  if (run === undefined || run === null) throw new Error('nothing began');
  return run;
};
const shownOf = async (link: StoredLink) => ({
  link: await storage.ctx.database.prisma.link.findUnique({
    where: { pk: link.pk },
    include: { products: { orderBy: { position: 'asc' } }, accounts: { orderBy: { pk: 'asc' } } },
  }),
  rows: await versionsOf(storage, link),
  announced: await announcementsOf(storage, link),
});
const worldOf = (world: { appId: string; worldId: string }) =>
  storage.ctx.database.prisma.sandboxWorld.findUnique({ where: { appId_worldId: world } });

describe('A worker of an advance that resumes after its timeout', () => {
  it.each([
    ['its fetched data', FETCHED],
    ['a refusal of the bank', REFUSED],
  ])('cannot settle %s once another worker has claimed the run', async (_, outcomes) => {
    const made = await linkInWorld();
    const late = await startedRun(made);
    const current = await runs.begin(made.link.linkId);
    const before = { shown: await shownOf(made.link), world: await worldOf(made.world) };
    expect(await runs.settle(made.world, late, outcomes)).toEqual({ more: false });
    expect({ shown: await shownOf(made.link), world: await worldOf(made.world) }).toEqual(before);
    await runs.settle(made.world, current ?? late, FETCHED);
    expect((await shownOf(made.link)).announced).toEqual([
      'product_refresh accounts completed',
      'product_refresh transactions completed',
      'updates_available false',
    ]);
  });

  it('cannot settle a run twice', async () => {
    const made = await linkInWorld();
    const run = await startedRun(made);
    await runs.settle(made.world, run, FETCHED);
    const before = { shown: await shownOf(made.link), world: await worldOf(made.world) };
    for (const outcomes of [FETCHED, REFUSED]) await runs.settle(made.world, run, outcomes);
    expect({ shown: await shownOf(made.link), world: await worldOf(made.world) }).toEqual(before);
  });

  it('cannot settle anything in an erased world', async () => {
    const made = await linkInWorld();
    const run = await startedRun(made);
    await new WorldRepository(storage.ctx).erase(made.world);
    expect(await runs.settle(made.world, run, FETCHED)).toEqual({ more: false });
    expect(
      await runs.takeTurn(
        made.world,
        made.link.linkId,
        { ...TURN, products: [...TURN.products] },
        after(2),
      ),
    ).toBeNull();
    expect(await runs.begin(made.link.linkId)).toBeNull();
    expect(await shownOf(made.link)).toEqual({ link: null, rows: [], announced: [] });
  });
});

describe('A link that is deleted while its world is advanced', () => {
  it.each([
    ['rows', FETCHED],
    ['the end of its permission', REFUSED],
  ])('receives no event and nothing of %s', async (_, outcomes) => {
    const made = await linkInWorld();
    const run = await startedRun(made);
    await storage.ctx.database.transaction((tx) =>
      transitionLink(storage.ctx, tx, made.link.pk, { type: 'delete' }),
    );
    const before = await shownOf(made.link);
    expect(before).toMatchObject({
      link: { state: 'deleted', nextDueAt: null },
      rows: [],
      announced: ['state_changed deleted'],
    });
    expect(await runs.settle(made.world, run, outcomes)).toEqual({ more: false });
    expect(await runs.begin(made.link.linkId)).toBeNull();
    expect(
      await runs.takeTurn(
        made.world,
        made.link.linkId,
        { ...TURN, products: [...TURN.products] },
        after(2),
      ),
    ).toMatchObject({ run: null });
    expect(await runs.expire(made.world, made.link.linkId, after(3))).not.toBeNull();
    expect(await shownOf(made.link)).toEqual(before);
    expect(await worldOf(made.world)).toMatchObject({ now: after(3) });
  });
});
