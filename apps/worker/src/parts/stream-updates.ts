import { updateStreams } from '../../../../activities/refresh/update-streams.js';
import { searchStreams } from '../../../../domain/recurring/find-streams.js';
import type { Context } from '../../../../prisma/base/context.js';
import { RecurringSearchRepository } from '../../../../prisma/links/recurring/recurring-search.repository.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import { runInTurns } from '../../../platform/src/process/run-in-turns.js';

/**
 * Updates the recurring payments of a link. A failure is logged only: the fetch has completed, and its changes are
 * announced after the next one that stores any.
 */
export function createStreamUpdates(
  ctx: Context,
  logger: Logger,
): (linkId: string) => Promise<void> {
  let previous = Promise.resolve();
  const deps = {
    searches: new RecurringSearchRepository(ctx),
    search: (...[rows, day]: Parameters<typeof searchStreams>) =>
      runInTurns(searchStreams(rows, day)),
    inTurn(work: () => Promise<void>): Promise<void> {
      const current = previous.then(work);
      previous = current.catch(() => undefined);
      return current;
    },
  };
  return async (linkId) => {
    try {
      await updateStreams(deps, linkId);
    } catch (err) {
      // Log: recurring payments of a link were not searched again after a fetch; the next read or fetch does it.
      logger.warn({ link_id: linkId, err }, 'recurring.not_updated');
    }
  };
}
