import { NOTHING_RAN, type RanCounts } from '../domain/ran-counts.js';
import type { LinkingRepository } from '../prisma/repositories/linking.repository.js';
import type { RefreshRepository } from '../prisma/repositories/refresh.repository.js';
import type { AgendaEntry, LinkTally, WorldAgendaRepository } from '../prisma/repositories/world-agenda.repository.js';
import type { WorldRepository } from '../prisma/repositories/world.repository.js';
import { withHeartbeats } from './heartbeats.js';
import { refreshInPlace, type InPlaceDeps } from './refresh-in-place.js';

export interface WorldActivityDeps extends InPlaceDeps {
  refresh: InPlaceDeps['refresh'] & Pick<RefreshRepository, 'beginScheduledRun'>;
  worlds: Pick<WorldRepository, 'course' | 'move' | 'arrive'>;
  agenda: WorldAgendaRepository;
  linking: Pick<LinkingRepository, 'credential'>;
}

export interface WorldOfApp {
  appId: string;
  worldId: string;
}

type Entry = AgendaEntry | { at: Date; kind: 'expiry'; linkId: string };

/** How often a link may still have something under way after it was fetched: a second pass may follow a first. */
const MOST_PASSES = 5;

/** The clock of a world. Source: link-lifecycle 14, advance. */
export function createWorldActivities(deps: WorldActivityDeps) {
  const { refresh, worlds, agenda, linking, providers } = deps;

  return {
    /**
     * Moves a world to where its row says, from one due moment to the next, and at each does what is due then. Everything
     * is in rows: begun again after a crash, it goes on from there.
     */
    async advanceWorld(world: WorldOfApp): Promise<void> {
      await withHeartbeats(async (signal) => {
        await finishFetches(world, signal);
        const ends = await permissionEnds(world, signal);
        const tallies = new Map<string, LinkTally>();
        let done = NOTHING_RAN;
        let course = await worlds.course(world);
        while (course !== null) {
          signal.throwIfAborted();
          const entry = first([expiryUntil(ends, course.to), await agenda.next(world, course.to)]);
          // What was missed while the clock stood is due now.
          const at = entry !== null && entry.at < course.now ? course.now : (entry?.at ?? course.to);
          course = await worlds.move(world, at, done);
          done = NOTHING_RAN;
          if (course === null || (entry === null && (await worlds.arrive(world)))) return;
          if (entry === null) continue;
          done = await perform(world, entry, course.now, { tallies, signal });
          if (entry.kind === 'expiry') ends.delete(entry.linkId);
        }
      });
    },
  };

  async function perform(world: WorldOfApp, { kind, linkId }: Entry, now: Date, { tallies, signal }: { tallies: Map<string, LinkTally>; signal: AbortSignal }): Promise<RanCounts> {
    if (kind === 'purge') {
      await agenda.purge(world, now);
      return NOTHING_RAN;
    }
    const products = kind === 'refresh' ? await agenda.takeTurn(world, linkId, now) : [];
    if (kind === 'refresh' && products.length === 0) return NOTHING_RAN;
    const before = tallies.get(linkId) ?? (await agenda.tally(linkId));
    if (kind === 'expiry') {
      await agenda.expire(linkId);
    } else {
      await refreshInPlace(deps, await refresh.beginScheduledRun(linkId, products), signal);
      await finishFetches(world, signal);
    }
    const after = await agenda.tally(linkId);
    tallies.set(linkId, after);
    return {
      scheduled_refreshes: kind === 'refresh' ? 1 : 0,
      settled_rows: after.settledRows - before.settledRows,
      expired_auths: after.authExpired && !before.authExpired ? 1 : 0,
      events: after.events - before.events,
    };
  }

  /** What is being fetched belongs to the moment that is now: its run is taken over before the clock moves. */
  async function finishFetches(world: WorldOfApp, signal: AbortSignal): Promise<void> {
    for (let pass = 0; pass < MOST_PASSES; pass += 1) {
      const linkIds = await agenda.underWay(world);
      if (linkIds.length === 0) return;
      for (const linkId of linkIds) await refreshInPlace(deps, await refresh.beginRun(linkId), signal);
    }
  }

  /** When the permissions of a world end by themselves, as their banks say. */
  async function permissionEnds(world: WorldOfApp, signal: AbortSignal): Promise<Map<string, Date>> {
    const ends = new Map<string, Date>();
    for (const linkId of await agenda.permitted(world)) {
      const found = await linking.credential(linkId);
      const { sandbox } = found === null ? { sandbox: undefined } : providers.get(found.provider);
      const end = found === null ? null : await sandbox?.permissionEnd({ remoteId: found.remoteId, credential: found.credential, signal });
      if (end) ends.set(linkId, end);
    }
    return ends;
  }
}

function expiryUntil(ends: ReadonlyMap<string, Date>, to: Date): Entry | null {
  const due = [...ends].map(([linkId, at]): Entry => ({ at, kind: 'expiry', linkId })).filter(({ at }) => at <= to);
  return first(due);
}

/** The earliest; of several at once, the one that is named first. */
function first(entries: readonly (Entry | null)[]): Entry | null {
  return entries.reduce((earliest, entry) => (entry !== null && (earliest === null || entry.at < earliest.at) ? entry : earliest), null);
}

export type WorldActivities = ReturnType<typeof createWorldActivities>;
