import { allHandlersFinished, CancellationScope, condition, isCancellation, TemporalFailure, upsertSearchAttributes } from '@temporalio/workflow';
import { ConnectSteps } from '../connect-steps/connect-steps.js';
import { linkingSteps } from '../connect-steps/linking-steps.js';
import { SEARCH_ATTRIBUTES } from '../search-attributes.js';
import type { LinkSessionInput, LinkSessionResult } from './link-session.contract.js';
import { NewLink } from './new-link.js';

/**
 * A new link, from the choice of a bank to the exchange of its token. Every fact is in PostgreSQL; the workflow holds
 * the order: whose turn it is, what is being worked on, and when time is over.
 */
export async function linkSession({ sessionId, softReplyMs }: LinkSessionInput): Promise<LinkSessionResult> {
  const linking = linkingSteps();
  const steps = new ConnectSteps(sessionId, softReplyMs, linking);
  steps.listen();
  try {
    const standing = await steps.restore();
    if (standing !== null) await untilNothingCanHappen(steps, new NewLink(sessionId, steps, linking, standing));
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
  if (steps.isOpen) await orShowProblem(steps, link, () => link.goOnFromTheRow());
  steps.ready();
  for (let command = await steps.next(); command !== null; command = await steps.next()) {
    const wanted = command;
    await orShowProblem(steps, link, () => link.follow(wanted));
  }
}

/** The database may refuse: the link or the session changed meanwhile, by a deletion for example. */
async function orShowProblem(steps: ConnectSteps, link: NewLink, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof TemporalFailure) || isCancellation(error)) throw error;
    await steps.checkDeadlines();
    if (steps.isOpen) await link.showProblem();
  }
}
