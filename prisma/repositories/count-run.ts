import { FAILURE_MEANINGS, faultOf } from '../../domain/failure-mapping.js';
import type { ProviderCause } from '../../domain/provider-failure.js';
import type { Context } from '../context.js';
import type { Tx } from '../database.js';
import { transitionLink } from './link-transition.js';
import type { LinkRow } from './webhook-event.js';

/**
 * Counts a run that is over, of a locked link. A run is faulty when every product it tried failed with a fault of the
 * institution, the provider or the service; enough of them in a row move the link (link-lifecycle 6.2, fetch_faulty).
 * Any other run ends the row. The kind is that of the first product, in the order in which they are fetched.
 */
export async function countRun(ctx: Context, tx: Tx, link: LinkRow, { anySucceeded, faultyAfter }: { anySucceeded: boolean; faultyAfter: number }): Promise<void> {
  const tried = await tx.linkProduct.findMany({ where: { linkPk: link.pk, fetchedInRun: link.refreshRun }, orderBy: { position: 'asc' } });
  const causes = tried.map(({ state, errorCause }) => (state === 'failed' ? errorCause as ProviderCause | null : null));
  const [cause] = causes;
  const fault = anySucceeded || causes.some((each) => each === null || faultOf(each) === null) || !cause ? null : faultOf(cause);
  const faultyRuns = tried.length === 0 ? link.faultyRuns : fault === null ? 0 : link.faultyRuns + 1;
  await tx.link.update({ where: { pk: link.pk }, data: { finishedRun: link.refreshRun, faultyRuns } });
  if (!cause || fault === null || faultyRuns < faultyAfter) return;
  await transitionLink(ctx, tx, link.pk, { type: 'fetch_faulty', error: fault }, { errorMessage: FAILURE_MEANINGS[cause].text, errorCause: cause });
}
