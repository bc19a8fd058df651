import { PRODUCTS } from '../../../domain/link/products.js';
import { PRODUCT_SPEEDS } from '../../../domain/link/product-speed.js';
import {
  planDue,
  policyFor,
  type SchedulePolicy,
} from '../../../domain/refresh/refresh-schedule.js';
import { ordinarySource, type SourceFactsOf } from '../../../domain/refresh/source-facts.js';
import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';
import { RefreshControls } from './refresh-controls.js';
import { DEFAULT_WORLD } from '../../worlds/world-clock.js';

export interface DueLinkRules extends SchedulePolicy {
  /**
   * Start commands of a batch are spread over this time, to avoid a burst per tick. Milliseconds.
   */
  spreadMs: number;
  /** Uniform in [0, 1). */
  chance: () => number;
  /** The facts of the links' sources; the defaults if omitted. */
  sources?: SourceFactsOf;
}

export interface DueBatch {
  /** One of `shards` partitions of the links, by key. */
  shard: number;
  shards: number;
  limit: number;
  /** The current time in the world of these links. */
  now: Date;
  worldId?: string;
}

export interface Dispatched {
  /** Links that were due; a full batch (`limit`) means there may be more. */
  claimed: number;
  /**
   * The number of them that are refreshed now; the rest got their first due times, or are paused.
   */
  asked: number;
}

interface ClaimedRow {
  pk: string;
  institution_id: string;
  provider: string;
  slow_due_at: Date | null;
}

const FAST_PRODUCTS = PRODUCTS.filter((product) => PRODUCT_SPEEDS[product] === 'fast');

/**
 * The due queue of scheduled refreshes: `links.next_due_at`. Several processes may dispatch
 * concurrently. Source: link-lifecycle 7.4.
 */
export class DueLinkRepository {
  constructor(
    private readonly ctx: Context,
    private readonly rules: DueLinkRules,
  ) {}

  /**
   * Claims one batch of due links, sets their next due times and requests the due products, in one
   * transaction.
   */
  async dispatch({
    shard,
    shards,
    limit,
    now,
    worldId = DEFAULT_WORLD,
  }: DueBatch): Promise<Dispatched> {
    const { rules, ctx } = this;
    return ctx.database.transaction(async (tx) => {
      const claimed = await tx.$queryRawUnsafe<ClaimedRow[]>(
        loadSql('due-links-claim'),
        now,
        worldId,
        shard,
        shards,
        limit,
      );
      if (claimed.length === 0) return { claimed: 0, asked: 0 };
      const { sources = ordinarySource } = rules;
      const controls = await RefreshControls.load(tx);
      const plans = claimed.map((row) => {
        const policy = policyFor(
          rules,
          controls.of({ institutionId: row.institution_id, provider: row.provider }),
          sources(row.provider).atLeastMs,
        );
        const { intervals } = policy.policy;
        const due = { slowDueAt: row.slow_due_at, ...policy };
        return { intervals, ...planDue(due, now, rules.chance()) };
      });
      const real = ctx.clock();
      const [started] = await tx.$queryRawUnsafe<{ asked: number }[]>(
        loadSql('due-links-request'),
        claimed.map(({ pk }) => pk),
        plans.map(({ nextDueAt }) => nextDueAt.toISOString()),
        plans.map(({ slowDueAt }) => slowDueAt?.toISOString() ?? null),
        plans.map(({ refresh: ask }) => ask),
        FAST_PRODUCTS,
        real,
        plans.map(() => new Date(real.getTime() + rules.spreadMs * rules.chance()).toISOString()),
        plans.map(({ intervals }) => Math.round(intervals.fast)),
        plans.map(({ intervals }) => Math.round(intervals.slow)),
      );
      return { claimed: claimed.length, asked: started?.asked ?? 0 };
    });
  }
}
