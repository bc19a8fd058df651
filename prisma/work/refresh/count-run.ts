import { FAILURE_MEANINGS, faultOf } from '../../../domain/errors/failure-mapping.js';
import type { ProviderCause } from '../../../domain/errors/provider-failure.js';
import {
  dueAfterFault,
  policyFor,
  type SchedulePolicy,
} from '../../../domain/refresh/refresh-schedule.js';
import { ordinarySource, type SourceFactsOf } from '../../../domain/refresh/source-facts.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { QUOTA_USED_UP } from '../../links/link/product-failure.js';
import { transitionLink } from '../../links/link/link-transition.js';
import { RefreshControls } from './refresh-controls.js';
import { clockOf } from '../../worlds/world-clock.js';
import type { Link } from '../../generated/client.js';

export interface RefreshRules {
  /** FAULTY_AFTER: consecutive faulty runs after which a link is in error. */
  faultyAfter: number;
  schedule: SchedulePolicy;
  /** Uniform in [0, 1). */
  chance: () => number;
  /** The facts of the links' sources; the defaults if omitted. */
  sources?: SourceFactsOf;
}

const HOUR_MS = 3_600_000;

/** The defaults of the settings. */
export const DEFAULT_REFRESH_RULES: RefreshRules = {
  faultyAfter: 3,
  schedule: { intervals: { fast: 6 * HOUR_MS, slow: 7 * 24 * HOUR_MS }, jitter: 0.15 },
  chance: () => 0.5,
};

/**
 * Counts a finished run of a locked link. A run is faulty when every product it attempted failed
 * with a fault of the institution, the provider or the service; enough consecutive faulty runs move
 * the link to error (link-lifecycle 6.2, fetch_faulty), and any other run resets the count. The
 * kind of fault is that of the product fetched first. A product without remaining calls in a quota
 * counted here was not attempted. A run does not count against its link while the source refuses
 * the operator's keys.
 */
export async function countRun(
  ctx: Context,
  tx: Tx,
  link: Link,
  anySucceeded: boolean,
  { faultyAfter, schedule, chance, sources = ordinarySource }: RefreshRules,
): Promise<void> {
  if (anySucceeded) {
    await tx.$executeRaw`UPDATE links SET finished_run = ${link.refreshRun}, faulty_runs = 0 WHERE pk = ${link.pk}`;
    return;
  }
  const rows = await tx.linkProduct.findMany({
    where: { linkPk: link.pk, fetchedInRun: link.refreshRun },
    orderBy: { position: 'asc' },
  });
  const tried = rows.filter(
    ({ state, errorCause }) => state !== 'failed' || errorCause !== QUOTA_USED_UP,
  );
  const causes = tried.map(({ state, errorCause }) =>
    state === 'failed' ? (errorCause as ProviderCause | null) : null,
  );
  const [cause] = causes;
  const fault =
    causes.some((each) => each === null || faultOf(each) === null) || !cause
      ? null
      : faultOf(cause);
  const isOurs = fault !== null && (await isConfigurationBroken(tx, link.provider));
  const faultyRuns =
    tried.length === 0 || isOurs ? link.faultyRuns : fault === null ? 0 : link.faultyRuns + 1;
  await tx.link.update({
    where: { pk: link.pk },
    data: { finishedRun: link.refreshRun, faultyRuns },
  });
  if (!cause || fault === null || isOurs || faultyRuns < faultyAfter) return;
  const { link: faulty } = await transitionLink(
    ctx,
    tx,
    link.pk,
    { type: 'fetch_faulty', error: fault },
    { errorMessage: FAILURE_MEANINGS[cause].text, errorCause: cause },
  );
  if (faulty.state !== 'error' || faulty.nextDueAt === null) return;
  const { policy } = policyFor(
    schedule,
    (await RefreshControls.load(tx)).of(link),
    sources(link.provider).atLeastMs,
  );
  const nextDueAt = dueAfterFault(
    policy,
    faultyRuns - faultyAfter + 1,
    await clockOf(ctx, tx, link),
    chance(),
  );
  await tx.link.update({ where: { pk: link.pk }, data: { nextDueAt } });
}

async function isConfigurationBroken(tx: Tx, provider: string): Promise<boolean> {
  return (await tx.providerConfiguration.count({ where: { name: provider, broken: true } })) > 0;
}
