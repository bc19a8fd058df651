import type { CredentialRepository } from '../../prisma/sources/permissions/credential.repository.js';
import type {
  AgendaEntry,
  WorldAgendaRepository,
} from '../../prisma/work/sandbox/world-agenda.repository.js';
import type {
  Course,
  WorldRun,
  WorldRunRepository,
} from '../../prisma/work/sandbox/world-run.repository.js';
import type { WorldRepository } from '../../prisma/worlds/world.repository.js';
import { withHeartbeats } from '../heartbeats.js';
import { linkAccess } from '../link-access.js';
import { refreshInPlace, type InPlaceDeps } from './refresh-in-place.js';

export interface WorldActivityDeps extends InPlaceDeps {
  runs: Pick<
    WorldRunRepository,
    'takeTurn' | 'begin' | 'settle' | 'expire' | 'noticeEnd' | 'purge'
  >;
  worlds: Pick<WorldRepository, 'depart' | 'arrive'>;
  agenda: Pick<WorldAgendaRepository, 'next' | 'permitted' | 'linksInProgress' | 'turnOf'>;
  credentials: Pick<CredentialRepository, 'credential'>;
}

export interface WorldOfApp {
  appId: string;
  worldId: string;
}

/** A fetch that leaves more to do needs another pass; this limits their number. */
const MAX_PASSES = 5;

/** Advances the clock of a sandbox world. Source: link-lifecycle 14, advance. */
export function createWorldActivities(deps: WorldActivityDeps) {
  const { runs, worlds, agenda, credentials, providers } = deps;

  return {
    /**
     * Moves a world to its target time, from one due moment to the next, and runs the due work at
     * each. All state is in rows: after a crash it first finishes the work that the lost attempt
     * started and continues from there.
     */
    async advanceWorld(world: WorldOfApp): Promise<void> {
      await withHeartbeats(async (signal) => {
        for (const linkId of await agenda.linksInProgress(world))
          await fetchAll(world, linkId, await runs.begin(linkId), signal);
        const ends = await permissionEnds(world, signal);
        let course = await worlds.depart(world);
        while (course !== null) {
          signal.throwIfAborted();
          const entry = first([expiryUntil(ends, course.to), await agenda.next(world, course.to)]);
          course =
            entry === null
              ? await worlds.arrive(world, course.to)
              : await perform(world, entry, course, signal);
          if (entry?.kind === 'expiry') ends.delete(entry.linkId);
        }
      });
    },
  };

  async function perform(
    world: WorldOfApp,
    entry: AgendaEntry,
    { now }: Course,
    signal: AbortSignal,
  ): Promise<Course | null> {
    // Entries that became due while the clock was stopped are due now.
    const at = entry.at < now ? now : entry.at;
    if (entry.kind === 'purge') return runs.purge(world, at);
    if (entry.kind === 'end_notice') return runs.noticeEnd(world, entry.linkId, at);
    if (entry.kind === 'expiry') return runs.expire(world, entry.linkId, at);
    const turn = await runs.takeTurn(world, entry.linkId, agenda.turnOf(entry.link, at), at);
    if (turn === null) return null;
    await fetchAll(world, entry.linkId, turn.run, signal);
    return turn.course;
  }

  /** Finishes pending fetches, which belong to the current moment, before the clock moves. */
  async function fetchAll(
    world: WorldOfApp,
    linkId: string,
    started: WorldRun | null,
    signal: AbortSignal,
  ): Promise<void> {
    let run = started;
    for (let pass = 0; run !== null && pass < MAX_PASSES; pass += 1) {
      const { more } = await refreshInPlace(deps, world, run, signal);
      run = more ? await runs.begin(linkId) : null;
    }
  }

  /**
   * The times at which the permissions of a world end by themselves, as reported by their banks.
   */
  async function permissionEnds(
    world: WorldOfApp,
    signal: AbortSignal,
  ): Promise<Map<string, Date>> {
    const ends = new Map<string, Date>();
    for (const linkId of await agenda.permitted(world)) {
      const found = await credentials.credential(linkId);
      if (found === null) continue;
      const { provider: name, ...facts } = found;
      const provider = providers.get(name);
      const end = await provider.fetchPermissionEnd?.(
        linkAccess(deps, provider, { linkId, isScheduled: true, ...facts }, signal),
      );
      if (end) ends.set(linkId, end);
    }
    return ends;
  }
}

function expiryUntil(ends: ReadonlyMap<string, Date>, to: Date): AgendaEntry | null {
  const due = [...ends]
    .map(([linkId, at]): AgendaEntry => ({ at, kind: 'expiry', linkId }))
    .filter(({ at }) => at <= to);
  return first(due);
}

/** The earliest entry; among entries at the same time, the first in the list. */
function first(entries: readonly (AgendaEntry | null)[]): AgendaEntry | null {
  return entries.reduce(
    (earliest, entry) =>
      entry !== null && (earliest === null || entry.at < earliest.at) ? entry : earliest,
    null,
  );
}

export type WorldActivities = ReturnType<typeof createWorldActivities>;
