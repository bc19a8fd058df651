import {
  allHandlersFinished,
  CancellationScope,
  condition,
  isCancellation,
} from '@temporalio/workflow';
import type { SessionSnapshot } from '../../activities/linking/session-state.js';
import type { SessionEffect } from '../../domain/session/session-effect.js';
import type { RowPhase, SessionFacts, SessionPhase } from '../../domain/session/session-phase.js';
import { resume } from '../../domain/session/session-resumption.js';
import { decide, isFinal } from '../../domain/session/session-transitions.js';
import { CurrentDetails } from '../details/current-details.js';
import { linkingSteps } from '../linking-steps.js';
import { Deadlines } from './deadlines.js';
import { Inbox } from './inbox.js';
import { showPhase } from './operator-view.js';
import { createPerform } from './perform.js';
import { PublishedLink } from './published-link.js';
import type {
  LinkSessionResult,
  ReauthenticationResult,
  SessionInput,
} from './session.contract.js';
import { ShownSteps } from './shown-steps.js';

/**
 * A new link, from the choice of a bank to the exchange of its token, or the extension of an
 * existing link if the user prefers that.
 */
export async function linkSession(input: SessionInput): Promise<LinkSessionResult> {
  const phase = await runSession(input, 'link');
  if (phase.name === 'succeeded') return { outcome: 'extended' };
  return { outcome: phase.name === 'over' ? phase.outcome : 'ended' };
}

/**
 * Repairs or extends an existing link, from the login at its bank to success. Issues no token.
 * link-lifecycle 8.
 */
export async function reauthentication(input: SessionInput): Promise<ReauthenticationResult> {
  const phase = await runSession(input, 'relink');
  return { outcome: phase.name === 'succeeded' ? 'succeeded' : 'ended' };
}

const OVER: SessionPhase = { name: 'over', outcome: 'ended' };

/**
 * Runs a session until its last possible event. PostgreSQL holds all facts; the workflow keeps the
 * order: whose turn it is, the work in progress, and the deadlines that have passed.
 */
async function runSession(
  { sessionId, softReplyMs }: SessionInput,
  mode: SessionFacts['mode'],
): Promise<SessionPhase> {
  const linking = linkingSteps();
  const deadlines = new Deadlines(sessionId, linking);
  const steps = new ShownSteps(sessionId, linking, deadlines);
  const inbox = new Inbox(steps, deadlines, softReplyMs);
  const published = new PublishedLink();
  const details = new CurrentDetails();
  const parts = { sessionId, linking, deadlines, steps, inbox, published, details };
  let phase = OVER;
  inbox.registerHandlers();
  try {
    const row = await linking.loadSession(sessionId);
    if (row === null) deadlines.end();
    else phase = await runPhases(row, mode, parts);
    inbox.accept();
    await published.publishEnd(phase, deadlines);
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(async () => {
      await linking.cancelSession(sessionId);
      deadlines.end();
      await published.publishEnd(OVER, deadlines);
      details.done();
      await condition(allHandlersFinished);
    });
    throw error;
  }
  details.done();
  await condition(allHandlersFinished);
  return phase;
}

type Parts = Omit<Parameters<typeof createPerform>[0], 'onWait'> & { details: CurrentDetails };

/** Runs from the phase of the row to the last one. */
async function runPhases(
  row: SessionSnapshot,
  mode: SessionFacts['mode'],
  parts: Parts,
): Promise<SessionPhase> {
  const { inbox, steps, deadlines, details } = parts;
  const { presetInstitutionId, mayChooseAnother } = row;
  const facts = { mode, presetInstitutionId, mayChooseAnother };
  steps.restore(row.seq, { canCancel: isWaiting(row.phase) });
  deadlines.limitStep(row.stepExpiresInMs);
  await deadlines.check();
  let { phase, effect } = resume({ ...row, phase: phaseNow(row.phase, deadlines, facts) }, facts);
  const show = () => {
    showPhase(details, phase, facts, deadlines);
  };
  const perform = createPerform({ ...parts, onWait: show });
  for (;;) {
    inbox.enter(phase);
    show();
    if (isFinal(phase)) break;
    // A resumed session first shows its step again: messages refer to that step.
    if (!SHOWS_A_STEP.has(effect.name)) inbox.accept();
    const event = await perform(effect);
    ({ phase, effect } = decide(phase, event, facts));
  }
  if (effect.name === 'endSession') await perform(effect);
  return phase;
}

const SHOWS_A_STEP: ReadonlySet<SessionEffect['name']> = new Set([
  'showBankChoice',
  'showExtensionOffer',
  'showBankStep',
  'showQuestion',
  'showProblem',
  'finish',
]);

/** The row decides whether the time has expired. Source: link-lifecycle 3. */
function phaseNow(phase: RowPhase, deadlines: Deadlines, { mode }: SessionFacts): RowPhase {
  if (deadlines.state === 'open') return phase;
  if (deadlines.state === 'succeeded') return 'succeeded';
  // The window of the exchange may outlast the session.
  return deadlines.isTimeOver || mode === 'relink' ? 'over' : 'succeeded';
}

/** The user sees a `wait`, which may be canceled. */
function isWaiting(phase: RowPhase): boolean {
  return phase === 'waitingAtBank' || phase === 'callingBank';
}
