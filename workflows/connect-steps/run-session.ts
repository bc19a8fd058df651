import {
  allHandlersFinished,
  CancellationScope,
  condition,
  isCancellation,
  TemporalFailure,
} from '@temporalio/workflow';
import { ConnectSteps } from './connect-steps.js';
import type { SessionInput } from './connect-steps.contract.js';
import { linkingSteps } from './linking-steps.js';
import { LinkingStory } from './linking-story.js';

/**
 * Runs a session until nothing more can happen to it. All facts are in PostgreSQL; the workflow
 * keeps the order: whose turn it is, what is in progress, and when a deadline has passed.
 */
export async function runSession(
  { sessionId, softReplyMs }: SessionInput,
  mode: 'link' | 'relink',
): Promise<ConnectSteps> {
  const linking = linkingSteps();
  const steps = new ConnectSteps(
    sessionId,
    softReplyMs,
    linking,
    mode === 'link' ? 'exchange' : 'nothing',
  );
  let story: LinkingStory | null = null;
  steps.listen();
  try {
    const standing = await steps.restore();
    if (standing !== null) {
      story = new LinkingStory(sessionId, steps, linking, standing, mode);
      await untilNothingCanHappen(steps, story);
    }
    steps.ready();
    await story?.tellOfLink();
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(async () => {
      await linking.cancelSession(sessionId);
      steps.end();
      await story?.tellOfLink();
      await condition(allHandlersFinished);
    });
    throw error;
  }
  return steps;
}

async function untilNothingCanHappen(steps: ConnectSteps, story: LinkingStory): Promise<void> {
  if (steps.isOpen) await orShowProblem(steps, story, () => story.goOnFromTheRow());
  steps.ready();
  for (let command = await steps.next(); command !== null; command = await steps.next()) {
    const wanted = command;
    await orShowProblem(steps, story, () => story.follow(wanted));
  }
}

/**
 * The database may refuse a change if the link or the session changed meanwhile, for example by a
 * deletion.
 */
async function orShowProblem(
  steps: ConnectSteps,
  story: LinkingStory,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof TemporalFailure) || isCancellation(error)) throw error;
    await steps.checkDeadlines();
    if (steps.isOpen) await story.showProblem();
  }
}
