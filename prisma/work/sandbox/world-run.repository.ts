import { FAILURE_MEANINGS } from '../../../domain/errors/failure-mapping.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import type { Link, LinkProduct } from '../../generated/client.js';
import { announceComingEnd } from '../../links/link/announce-coming-end.js';
import { lockLink, lockLinkById, transitionLink } from '../../links/link/link-transition.js';
import { purgeDueLinks } from '../../links/link/purge-links.js';
import { countRun, type RefreshRules } from '../refresh/count-run.js';
import { lockLinkOfRun, lockLiveLink } from '../refresh/refresh-fence.js';
import { writeRequests } from '../refresh/request-refresh.js';
import { isFetchable } from '../refresh/take-refresh-requests.js';
import type { InWorld } from '../../worlds/world-clock.js';
import { countWork, lockClock, moveClock, type Course } from './advance-clock.js';
import { applyRunStep } from './apply-run-step.js';
import { outcomeGroups, type RunOutcome } from './run-outcomes.js';
import { startWorldRun, type WorldRun } from './start-world-run.js';
import type { Turn } from './world-agenda.repository.js';

export type { Course } from './advance-clock.js';
export type { WorldRun } from './start-world-run.js';
export type { RunOutcome } from './run-outcomes.js';

const PURGED_AT_ONCE = 1_000;

/**
 * The changes of an advance to a world and its links. Each step is one transaction that moves the
 * clock, does the due work and counts it, so a lost step leaves no trace. Worlds are locked before
 * links.
 */
export class WorldRunRepository {
  constructor(
    private readonly ctx: Context,
    private readonly rules: RefreshRules,
  ) {}

  /**
   * Moves the clock to the turn of a link and starts the due fetches; `run: null` = none is due, or
   * the link can no longer be fetched. Null = the world no longer exists, or is not advancing.
   */
  async takeTurn(
    world: InWorld,
    linkId: string,
    { products, nextDueAt, slowDueAt }: Turn,
    at: Date,
  ): Promise<{ course: Course; run: WorldRun | null } | null> {
    return this.ctx.database.transaction(async (tx) => {
      const course = await moveClock(tx, world, at, {
        refreshes: products.length === 0 ? 0 : 1,
        durable: false,
      });
      const link = course === null ? null : await lockLiveLink(tx, linkId);
      if (course === null) return null;
      if (link === null) return { course, run: null };
      const asked =
        isFetchable(link) && (await writeRequests(this.ctx, tx, link, products, 'scheduled'));
      const run = asked ? await startWorldRun(this.ctx, tx, link, { nextDueAt, slowDueAt }) : null;
      if (run === null)
        await tx.link.update({
          where: { pk: link.pk },
          data: { nextDueAt, slowDueAt },
          select: { pk: true },
        });
      return { course, run };
    });
  }

  /** Takes over all waiting or unfinished products of a link; null = none. */
  async begin(linkId: string): Promise<WorldRun | null> {
    return this.ctx.database.transaction(async (tx) => {
      const link = await lockLiveLink(tx, linkId);
      return link === null ? null : startWorldRun(this.ctx, tx, link, {});
    });
  }

  /**
   * Settles the products of a run in order and ends the run; a stale run changes nothing. Returns
   * whether the link has more to fetch now: a second pass, or products requested in the meantime.
   */
  async settle(
    world: InWorld,
    { linkId, run }: Pick<WorldRun, 'linkId' | 'run'>,
    outcomes: readonly RunOutcome[],
  ): Promise<{ more: boolean }> {
    const groups = outcomeGroups(outcomes);
    const anySucceeded = outcomes.some(({ kind }) => kind === 'fetched');
    let more = false;
    for (const [index, steps] of groups.entries()) {
      more = await this.ctx.database.transaction(async (tx) => {
        if (!(await lockClock(tx, world))) return false;
        const before = await lockLinkOfRun(tx, linkId, run);
        if (before === null) return false;
        let link = before;
        // Each step settles its own product; the end of a permission settles all of them and is the
        // last step.
        const rows = await productsOf(tx, link);
        for (const step of steps) {
          await applyRunStep(this.ctx, tx, link, rows, step);
          // The first success recovers a link from a fault.
          if (link.state === 'error') link = await lockLink(tx, link.pk);
        }
        if (index === groups.length - 1 && link.finishedRun < link.refreshRun)
          await countRun(this.ctx, tx, link, anySucceeded, this.rules);
        return countWork(tx, world, before);
      });
    }
    return { more };
  }

  /** The bank's permission has ended: the link needs its owner. */
  async expire(world: InWorld, linkId: string, at: Date): Promise<Course | null> {
    return this.ctx.database.transaction(async (tx) => {
      const course = await moveClock(tx, world, at);
      const link = course === null ? null : await lockLinkById(tx, linkId);
      if (link === null || link.state === 'deleted') return course;
      const { text } = FAILURE_MEANINGS.consent_expired;
      await transitionLink(
        this.ctx,
        tx,
        link.pk,
        { type: 'auth_lost' },
        { errorMessage: text, errorCause: 'consent_expired' },
      );
      await countWork(tx, world, link);
      return course;
    });
  }

  /** Announces that the permission of a link will end. */
  async noticeEnd(world: InWorld, linkId: string, at: Date): Promise<Course | null> {
    return this.ctx.database.transaction(async (tx) => {
      const course = await moveClock(tx, world, at);
      const link = course === null ? null : await lockLinkById(tx, linkId);
      if (link === null) return course;
      await announceComingEnd(this.ctx, tx, link);
      await countWork(tx, world, link);
      return course;
    });
  }

  /**
   * link-lifecycle 6.3, purge: removes records of links that are due at this moment, without a
   * webhook.
   */
  async purge(world: InWorld, at: Date): Promise<Course | null> {
    return this.ctx.database.transaction(async (tx) => {
      const course = await moveClock(tx, world, at);
      if (course !== null)
        await purgeDueLinks(tx, at, { worldId: world.worldId, limit: PURGED_AT_ONCE });
      return course;
    });
  }
}

async function productsOf(tx: Tx, { pk: linkPk }: Link): Promise<Map<string, LinkProduct>> {
  const rows = await tx.linkProduct.findMany({ where: { linkPk } });
  return new Map(rows.map((row) => [row.product, row]));
}
