import { FAILURE_MEANINGS } from '../../domain/errors/failure-mapping.js';
import type { DayWindow } from '../../domain/refresh/fetched-data.js';
import type { Product } from '../../domain/link/products.js';
import type { Context } from '../context.js';
import type { Tx } from '../database/tx.js';
import { loadSql } from '../database/load-sql.js';
import { startProducts, fetchKeyOf } from '../refresh/start-products.js';
import { countRun, type RefreshRules } from '../refresh/count-run.js';
import { failProduct } from '../refresh/fail-product.js';
import { lockLink, lockLinkById, transitionLink } from '../links/link-transition.js';
import { openCredential } from '../permissions/provider-credential.js';
import { purgeDueLinks } from '../links/purge-links.js';
import { judgeProduct, lockLinkOfRun, lockLiveLink } from '../refresh/refresh-fence.js';
import { writeRequests } from '../refresh/request-refresh.js';
import { hasNewSource, storeProduct, storeRows } from '../refresh/store-product.js';
import { outcomeGroups, type RunOutcome, type RunStep } from './run-outcomes.js';
import { isFetchable, takeRefreshRequests } from '../refresh/take-refresh-requests.js';
import { tellComingEnd } from '../links/announce-coming-end.js';
import { matchFetchedRows } from '../transactions/match-fetched-rows.js';
import { storableAccounts } from '../transactions/store-transactions.js';
import type { Turn } from './world-agenda.repository.js';
import { clockOf, rememberClock, type InWorld } from '../worlds/world-clock.js';
import type { Link, LinkProduct } from '../generated/client.js';

export type { RunOutcome } from './run-outcomes.js';

/** The current time of a world and the target of its advance. */
export interface Course {
  now: Date;
  to: Date;
}

/** A run with everything its fetches need. All of its products have started. */
export interface WorldRun {
  linkId: string;
  run: string;
  provider: string;
  remoteId: string;
  credential: Uint8Array;
  worldTime: Date;
  /** All products of the link. */
  granted: Product[];
  products: { product: Product; window: DayWindow | null; fetchKey: string }[];
}

const PURGED_AT_ONCE = 1_000;

/**
 * How an advance changes a world and its links: each step is one transaction that moves the clock,
 * does what is due and counts it, so a lost step leaves no trace. Worlds are locked before links.
 */
export class WorldRunRepository {
  constructor(
    private readonly ctx: Context,
    private readonly rules: RefreshRules,
  ) {}

  /**
   * Moves the clock to the turn of a link and starts what is due; `run: null` = nothing is, or the
   * link can no longer be fetched. Null = the world is gone, or not advancing.
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
      const run = asked ? await this.beginAll(tx, link, { nextDueAt, slowDueAt }) : null;
      if (run === null)
        await tx.link.update({
          where: { pk: link.pk },
          data: { nextDueAt, slowDueAt },
          select: { pk: true },
        });
      return { course, run };
    });
  }

  /** Takes over whatever of a link is waiting or was left unfinished; null = nothing. */
  async begin(linkId: string): Promise<WorldRun | null> {
    return this.ctx.database.transaction(async (tx) => {
      const link = await lockLiveLink(tx, linkId);
      return link === null ? null : this.beginAll(tx, link, {});
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
          await this.applyStep(tx, link, rows, step);
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
      await tellComingEnd(this.ctx, tx, link);
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

  private async beginAll(
    tx: Tx,
    link: Link,
    also: { nextDueAt?: Date; slowDueAt?: Date | null },
  ): Promise<WorldRun | null> {
    const plan = await takeRefreshRequests(this.ctx, tx, link, null, {
      revision: { increment: 1 },
      ...also,
    });
    const held = plan === null ? null : await openCredential(this.ctx, tx, link);
    if (plan === null || held === null) return null;
    const { linkId, run, provider, remoteId, granted } = plan;
    const started = await startProducts(
      this.ctx,
      tx,
      link,
      BigInt(run),
      plan.products.map(({ product }) => product),
    );
    const since = new Map(started.map(({ product, startedAt }) => [product, startedAt]));
    return {
      linkId,
      run,
      provider,
      remoteId,
      granted,
      credential: held.credential,
      worldTime: await clockOf(this.ctx, tx, link),
      products: plan.products.map(({ product, window }) => ({
        product,
        window,
        fetchKey: fetchKeyOf(linkId, product, since.get(product) ?? this.ctx.clock()),
      })),
    };
  }

  /** Applies one step of a current run; skips a product that has since been settled. */
  private async applyStep(
    tx: Tx,
    link: Link,
    rows: ReadonlyMap<string, LinkProduct>,
    step: RunStep,
  ): Promise<void> {
    if (step.kind === 'match' && !hasNewSource(link) && !step.listing.postedIdsDiffer) return;
    const row = rows.get(step.product);
    if (
      row === undefined ||
      judgeProduct(row, step.kind === 'failed' ? 'final_failure' : 'stored').kind !== 'change'
    )
      return;
    // The advance runs a second pass itself: the clock stands still until then.
    const inProgress = { link, row, requestSecondPass: writeRequests };
    switch (step.kind) {
      case 'failed':
        return failProduct(this.ctx, tx, link, row, step.cause);
      case 'match':
        await matchFetchedRows(tx, link.pk, await storableAccounts(tx, link.pk), step.listing, {
          postedIdsDiffer: step.listing.postedIdsDiffer,
          otherSource: hasNewSource(link),
        });
        return;
      case 'rows':
        await storeRows(this.ctx, tx, inProgress, step.batch);
        return;
      case 'whole':
        await storeProduct(this.ctx, tx, inProgress, step.fetched);
    }
  }
}

async function productsOf(tx: Tx, { pk: linkPk }: Link): Promise<Map<string, LinkProduct>> {
  const rows = await tx.linkProduct.findMany({ where: { linkPk } });
  return new Map(rows.map((row) => [row.product, row]));
}

/**
 * Moves the clock forward and locks it. A start (`durable: false`) need not wait for the disk: it
 * announces nothing, it is repeated if lost in a crash, and the transaction that settles what it
 * started makes it durable too.
 */
async function moveClock(
  tx: Tx,
  world: InWorld,
  to: Date,
  { refreshes = 0, durable = true } = {},
): Promise<Course | null> {
  const [row] = await tx.$queryRaw<{ now: Date; advancing_to: Date }[]>`
    UPDATE sandbox_worlds SET now = greatest(now, ${to}),
           ran = CASE WHEN ran IS NULL THEN NULL ELSE ran || jsonb_build_object('scheduled_refreshes', (ran->>'scheduled_refreshes')::int + ${refreshes}::int) END
     WHERE app_id = ${world.appId} AND world_id = ${world.worldId} AND now IS NOT NULL AND advancing_to IS NOT NULL
    RETURNING now, advancing_to, set_config('synchronous_commit', CASE WHEN ${durable}::boolean THEN current_setting('synchronous_commit') ELSE 'off' END, true)`;
  if (row === undefined) return null;
  rememberClock(tx, world, row.now);
  return { now: row.now, to: row.advancing_to };
}

/** Locks the clock where it is; false = the world is gone. */
async function lockClock(tx: Tx, world: InWorld): Promise<boolean> {
  const [row] = await tx.$queryRaw<
    { now: Date | null }[]
  >`SELECT now FROM sandbox_worlds WHERE app_id = ${world.appId} AND world_id = ${world.worldId} FOR NO KEY UPDATE`;
  if (row === undefined || row.now === null) return false;
  rememberClock(tx, world, row.now);
  return true;
}

async function countWork(
  tx: Tx,
  { appId, worldId }: InWorld,
  { pk, headSeq, errorCode }: Link,
): Promise<boolean> {
  const [row] = await tx.$queryRawUnsafe<{ more: boolean }[]>(
    loadSql('count-world-run'),
    appId,
    worldId,
    pk,
    headSeq,
    errorCode === 'auth_expired',
  );
  return row?.more ?? false;
}
