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
import { LinkingFlow } from './linking-flow.js';
import { SessionClock } from './session-clock.js';

/**
 * Runs a session until nothing more can happen to it. All facts are in PostgreSQL; the workflow
 * keeps the order: whose turn it is, what is in progress, and when a deadline has passed.
 */
export async function runSession(
  { sessionId, softReplyMs }: SessionInput,
  mode: 'link' | 'relink',
): Promise<SessionClock> {
  const linking = linkingSteps();
  const session = new SessionClock(sessionId, linking, mode === 'link' ? 'exchange' : 'nothing');
  const steps = new ConnectSteps(sessionId, softReplyMs, linking, session);
  let flow: LinkingFlow | null = null;
  steps.registerHandlers();
  try {
    const snapshot = await steps.restore();
    if (snapshot !== null) {
      flow = new LinkingFlow(sessionId, steps, linking, snapshot, mode);
      await handleCommands(steps, flow);
    }
    steps.acceptMessages();
    await flow?.publishLink();
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(async () => {
      await linking.cancelSession(sessionId);
      session.end();
      await flow?.publishLink();
      steps.details.done();
      await condition(allHandlersFinished);
    });
    throw error;
  }
  steps.details.done();
  return session;
}

async function handleCommands(steps: ConnectSteps, flow: LinkingFlow): Promise<void> {
  if (steps.session.isOpen) await orShowProblem(steps, flow, () => flow.resume());
  steps.acceptMessages();
  for (let command = await steps.next(); command !== null; command = await steps.next()) {
    const current = command;
    await orShowProblem(steps, flow, () => flow.handle(current));
  }
}

/**
 * The database may refuse a change if the link or the session changed meanwhile, for example by a
 * deletion.
 */
async function orShowProblem(
  steps: ConnectSteps,
  flow: LinkingFlow,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof TemporalFailure) || isCancellation(error)) throw error;
    await steps.session.checkDeadlines();
    if (steps.session.isOpen) await flow.showProblem();
  }
}
