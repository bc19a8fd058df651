import { allHandlersFinished, CancellationScope, condition, isCancellation, TemporalFailure, upsertSearchAttributes } from '@temporalio/workflow';
import { ConnectSteps } from '../connect-steps/connect-steps.js';
import { linking } from '../connect-steps/linking-steps.js';
import { SEARCH_ATTRIBUTES } from '../search-attributes.js';
import type { LinkSessionInput, LinkSessionResult } from './link-session.contract.js';
import { NewLink } from './new-link.js';

/**
 * A new link, from the choice of a bank to the exchange of its token. Every fact is in PostgreSQL; the workflow holds
 * the order: whose turn it is, what is being worked on, and when time is over.
 */
export async function linkSession({ sessionId, softReplyMs }: LinkSessionInput): Promise<LinkSessionResult> {
  const steps = new ConnectSteps(sessionId, softReplyMs);
  steps.listen();
  try {
    const standing = await steps.restore();
    if (standing !== null) await untilNothingCanHappen(steps, new NewLink(sessionId, steps, standing));
    steps.ready();
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(async () => {
      await linking.cancelSession(sessionId);
      steps.end();
      await condition(allHandlersFinished);
    });
    throw error;
  }
  if (steps.outcome === 'exchanged') upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.linkState, value: 'connected' }]);
  await condition(allHandlersFinished);
  return { outcome: steps.outcome };
}

async function untilNothingCanHappen(steps: ConnectSteps, link: NewLink): Promise<void> {
  if (steps.isOpen) await link.goOnFromTheRow();
  steps.ready();
  for (let command = await steps.next(); command !== null; command = await steps.next()) {
    try {
      await link.follow(command);
    } catch (error) {
      if (!(error instanceof TemporalFailure) || isCancellation(error)) throw error;
      // The database refused: the link or the session changed meanwhile, by a deletion for example.
      await steps.checkDeadlines();
      if (steps.isOpen) await link.showProblem();
    }
  }
}
