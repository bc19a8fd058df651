import fc from 'fast-check';
import type { Context } from '../../../prisma/base/context.js';
import { announceDueEnds } from '../../../prisma/links/link/announce-coming-end.js';
import { refreshSteps } from '../../support/fixtures/refresh-steps.js';
import {
  account,
  connectedLink,
  openStores,
  relinkedUpToLogin,
  RENEWED,
  shown,
  succeededSession,
  TENANT,
  type Store,
} from '../../support/fixtures/linking-store.js';
import { attemptOf } from '../../support/fixtures/stored-link.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const EXPIRING = 'link.permission_expiring';
const RUNS = process.env.LONG_RUNS ? 200 : 5;

let store: Store;
openStores((opened) => {
  store = opened;
});

const now = () => store.ctx.clock().getTime();
const inDays = (days: number) => new Date(now() + days * DAY);
const sweep = (ctx: Context = store.ctx) => announceDueEnds(ctx, ctx.clock(), 100);

/** A fetch of the accounts of a link, with the end of its permission as its source reports it. */
async function fetchEnd(linkId: string, permissionEndsAt: Date | null, ctx = store.ctx) {
  const refresh = refreshSteps(ctx);
  const link = await ctx.database.prisma.link.findUniqueOrThrow({ where: { linkId } });
  await ctx.database.transaction((tx) =>
    refresh.requestProducts(tx, link.pk, ['accounts'], 'prefetch'),
  );
  const attempt = attemptOf(await refresh.beginRun(linkId), 'accounts');
  const accounts = [account('checking', '1101'), account('savings', '2202')];
  await refresh.storeAccounts(linkId, attempt, accounts, { permissionEndsAt });
}

async function relink(linkId: string, permissionEndsAt: Date | null = null): Promise<void> {
  const login = { ...RENEWED, permissionEndsAt };
  const { sessionId } = await relinkedUpToLogin(store, linkId, {}, login);
  await store.questions.finishLinking(sessionId, shown(2, { kind: 'success' }));
}

/** The announced ends of a link, oldest first. */
async function announcedEnds(linkId: string): Promise<string[]> {
  const events = await store.ctx.database.prisma.webhookEvent.findMany({
    where: { linkId, webhookEvent: EXPIRING },
    orderBy: { pk: 'asc' },
  });
  return events.map(({ body }) => {
    const { permission_ends_at: endsAt } = JSON.parse(body) as { permission_ends_at: string };
    return new Date(endsAt).toISOString();
  });
}

describe('link.permission_expiring (link-lifecycle 7.6)', () => {
  it('is sent 7 days and 1 day before the end of a permission, and never twice', async () => {
    const { linkId } = await connectedLink(store);
    const end = inDays(10);
    await fetchEnd(linkId, end);
    const sent: Record<string, number> = {};
    for (const day of [2.9, 3.1, 5, 8.9, 9.1, 9.9, 10.1, 12]) {
      store.pass(end.getTime() - 10 * DAY + day * DAY - now());
      for (let time = 0; time < 3; time += 1) await sweep();
      sent[day] = (await announcedEnds(linkId)).length;
    }
    expect(sent).toEqual({ 2.9: 0, 3.1: 1, 5: 1, 8.9: 1, 9.1: 2, 9.9: 2, 10.1: 2, 12: 2 });
    expect(new Set(await announcedEnds(linkId))).toEqual(new Set([end.toISOString()]));
  });

  it('is sent at once for an end that is learned of late, and again 1 day ahead', async () => {
    const { linkId } = await connectedLink(store);
    await fetchEnd(linkId, inDays(3));
    expect(await announcedEnds(linkId)).toHaveLength(1);
    store.pass(2.5 * DAY);
    await sweep();
    expect(await announcedEnds(linkId)).toHaveLength(2);
  });

  it('is sent once where all its notices are overdue', async () => {
    const { linkId } = await connectedLink(store);
    const end = inDays(0.5);
    for (let time = 0; time < 3; time += 1) {
      await fetchEnd(linkId, end);
      await sweep();
    }
    expect(await announcedEnds(linkId)).toEqual([end.toISOString()]);
  });

  it('is withdrawn by a renewal, even one whose end is the same', async () => {
    const { linkId } = await connectedLink(store);
    const end = inDays(8);
    await fetchEnd(linkId, end);
    await relink(linkId);
    store.pass(2 * DAY);
    await sweep();
    expect(await announcedEnds(linkId)).toEqual([]);
    await relink(linkId, end);
    expect(await announcedEnds(linkId)).toEqual([end.toISOString()]);
    await relink(linkId, inDays(90));
    store.pass(7 * DAY);
    await sweep();
    expect(await announcedEnds(linkId)).toEqual([end.toISOString()]);
  });

  it.each<[string, (linkId: string) => Promise<unknown>]>([
    ['waits for its account owner', (linkId) => store.links.reset(TENANT, linkId)],
    ['is deleted', (linkId) => store.links.delete(TENANT, linkId)],
    ['has lost its permission', () => Promise.resolve(store.pass(8 * DAY))],
  ])('is not sent for a link that %s', async (_, happens) => {
    const { linkId } = await connectedLink(store);
    await fetchEnd(linkId, inDays(8));
    await happens(linkId);
    store.pass(2 * DAY);
    await sweep();
    expect(await announcedEnds(linkId)).toEqual([]);
  });

  it('is held until the exchange of its link', async () => {
    const { linkId, sessionId } = await succeededSession(store);
    await fetchEnd(linkId, inDays(3));
    expect(await announcedEnds(linkId)).toEqual([]);
    const result = await store.exchange.finish(sessionId, 'first');
    await store.exchange.exchange(TENANT, result?.token?.exchangeableToken ?? '');
    expect(await announcedEnds(linkId)).toHaveLength(1);
  });

  it.each([[[]], [[HOUR]], [[3 * HOUR, 2 * HOUR, HOUR]]])(
    'is sent once for each time of PERMISSION_NOTICES: %j ms before the end',
    async (permissionNoticesMs: number[]) => {
      const { linkId } = await connectedLink(store);
      const configured = { ...store.ctx, permissionNoticesMs };
      await fetchEnd(linkId, inDays(1), configured);
      for (let hour = 0; hour < 24; hour += 1) {
        store.pass(HOUR);
        await sweep(configured);
      }
      expect(await announcedEnds(linkId)).toHaveLength(permissionNoticesMs.length);
    },
  );
});

describe('Any order of fetches, renewals and sweeps', () => {
  type Action = { hours: number } | { endIn: number } | { renewedUntil: number };
  const action = fc.oneof<fc.Arbitrary<Action>[]>(
    fc.record({ hours: fc.integer({ min: 1, max: 60 }) }),
    fc.record({ endIn: fc.integer({ min: -1, max: 10 }) }),
    fc.record({ renewedUntil: fc.integer({ min: 1, max: 10 }) }),
  );

  it('announces each notice of each end exactly once, and only the end that is in force', async () => {
    const { linkId } = await connectedLink(store);
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 2, maxLength: 10 }), async (actions) => {
        await relink(linkId);
        let end: Date | null = null;
        let noticed = 0;
        let before = (await announcedEnds(linkId)).length;
        for (const step of actions) {
          if ('hours' in step) store.pass(step.hours * HOUR);
          else if ('endIn' in step) {
            const other = inDays(step.endIn);
            if (other.getTime() !== end?.getTime()) noticed = 0;
            end = other;
            await fetchEnd(linkId, end);
          } else {
            [end, noticed] = [inDays(step.renewedUntil), 0];
            await relink(linkId, end);
          }
          await sweep();
          await sweep();
          const sent = (await announcedEnds(linkId)).slice(before);
          const left = end === null ? -1 : end.getTime() - now();
          const due = [7 * DAY, DAY].filter((notice) => left <= notice).length;
          expect(sent).toEqual(left > 0 && due > noticed ? [end?.toISOString()] : []);
          noticed = Math.max(noticed, due);
          before += sent.length;
        }
      }),
      { numRuns: RUNS },
    );
  });
});
