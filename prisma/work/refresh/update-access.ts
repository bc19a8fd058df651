import type { Product } from '../../../domain/link/products.js';
import type { SourceFactsOf } from '../../../domain/refresh/source-facts.js';
import type { EndUser } from '../../../domain/session/end-user.js';
import type { Context } from '../../base/context.js';
import { openUpdateState, storeUpdateState } from '../../sources/permissions/update-state.js';
import {
  causesOf,
  isScheduled,
  linkWithProducts,
  permissionAccess,
  type PermissionAccess,
} from './fetch-access.js';
import { waitingUser } from './login-user.js';
import { runOf } from './refresh-fence.js';
import { asksForHistory } from './complete-product.js';
import { isFetchable } from './take-refresh-requests.js';

/** The cause of a source's update from its bank: the most urgent cause of its run. */
const CAUSES = [
  'relink',
  'on_demand',
  'prefetch',
  'history',
  'provider_webhook',
  'scheduled',
] as const;
export type UpdateCause = (typeof CAUSES)[number];

/** The facts needed to make the source of a link update from its bank, for one run. */
export interface UpdateAccess extends PermissionAccess {
  fetchKey: string;
  isScheduled: boolean;
  /** The user who waits for the run; null = no one. */
  endUser: EndUser | null;
  /** The products of the run. */
  wanted: Product[];
  wholeHistory: boolean;
  cause: UpdateCause;
  /** The result of the run's last call; null = there was none. */
  state: Uint8Array | null;
}

/** Null = the run is stale, or has nothing to fetch. */
export async function updateAccess(
  ctx: Context,
  linkId: string,
  run: string,
  sources: SourceFactsOf,
): Promise<UpdateAccess | null> {
  const link = await linkWithProducts(ctx, linkId);
  if (link === null || link.refreshRun !== runOf(run) || !isFetchable(link)) return null;
  const rows = link.products.filter(({ state }) => state === 'pending' || state === 'in_progress');
  const access = rows.length === 0 ? null : await permissionAccess(ctx, link);
  if (access === null) return null;
  const wanted = rows.map(({ product }) => product as Product);
  const causes = await causesOf(ctx, link, wanted);
  return {
    ...access,
    fetchKey: `${linkId}/update/${run}`,
    isScheduled: isScheduled(causes),
    endUser: await waitingUser(ctx, link, causes),
    wanted,
    wholeHistory: rows.some(
      (row) => row.product === 'transactions' && asksForHistory(row, sources(link.provider)),
    ),
    // Scripts of sandbox banks are requests of an app, too.
    cause: CAUSES.find((cause) => causes.includes(cause)) ?? 'on_demand',
    state: await openUpdateState(ctx, link),
  };
}

/**
 * Keeps the state that the next call of this run passes to the source; null = none. A stale run
 * changes nothing.
 */
export async function keepUpdateState(
  ctx: Context,
  { linkId, reference }: Pick<UpdateAccess, 'linkId' | 'reference'>,
  run: string,
  state: Uint8Array | null,
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const link = await tx.link.findUnique({
      where: { linkId },
      select: { pk: true, linkId: true, refreshRun: true },
    });
    if (link !== null && link.refreshRun === runOf(run))
      await storeUpdateState(ctx, tx, link, reference, state);
  });
}
