import { makeErrorStep, type ConnectProblemId } from '../../domain/session/connect-problem.js';
import { makeStep, type Step } from '../../domain/session/connect-step.js';
import type { Product } from '../../domain/link/products.js';
import type { InstitutionRepository } from '../../prisma/sources/institutions/institution.repository.js';
import type { LinkSessionRepository } from '../../prisma/links/sessions/link-session.repository.js';
import type { SessionRecord } from '../../prisma/links/sessions/session-record.js';
import type { SessionTimeRepository } from '../../prisma/work/linking/session-time.repository.js';
import type { Deadline, SessionState, NextStep } from './session-state.js';

export interface StepProjectionDeps {
  sessions: Pick<LinkSessionRepository, 'get' | 'projectStep'>;
  times: Pick<SessionTimeRepository, 'expireIfDue'>;
  institutions: Pick<InstitutionRepository, 'findAny'>;
  now: () => Date;
}

/** A Temporal timer may fire slightly before this process's clock reaches the deadline. */
const PAST_DEADLINE_MS = 25;

/** Stores the step that a session shows and returns the time of the next check. */
export function createStepProjection({ sessions, times, institutions, now }: StepProjectionDeps) {
  return { project, showProblem, errorStep, lookUpDeadline };

  async function showProblem({
    sessionId,
    seq,
    accepted,
    problem,
  }: NextStep & { problem: ConnectProblemId }): Promise<Deadline> {
    return project({ sessionId, seq, accepted }, await errorStep(sessionId, seq, problem));
  }

  async function errorStep(
    sessionId: string,
    seq: number,
    problem: ConnectProblemId,
  ): Promise<Step> {
    const session = await sessions.get(sessionId);
    const institutionId = session?.institutionId ?? session?.presetInstitutionId ?? null;
    const institution = institutionId === null ? null : await institutions.findAny(institutionId);
    const institutionUrl =
      institution === null || institution.domain === null ? null : `https://${institution.domain}`;
    return makeStep(
      seq,
      makeErrorStep(problem, {
        mayChooseAnother: session !== null && mayChooseAnother(session),
        institutionUrl,
      }),
    );
  }

  async function project(
    { sessionId, seq, accepted }: NextStep,
    step: Step,
    granted?: readonly Product[],
  ): Promise<Deadline> {
    const { expiresAt } = await sessions.projectStep(sessionId, { seq, step, accepted, granted });
    return { state: 'open', lookAgainInMs: until(expiresAt) };
  }

  async function lookUpDeadline(sessionId: string): Promise<Deadline> {
    const { state, nextDeadline, link } = await times.expireIfDue(sessionId);
    return {
      state: stateOf(state),
      lookAgainInMs: nextDeadline === null ? null : until(nextDeadline),
      link,
    };
  }

  function until(deadline: Date): number {
    return Math.max(0, deadline.getTime() - now().getTime()) + PAST_DEADLINE_MS;
  }
}

export type StepProjection = ReturnType<typeof createStepProjection>;

export function stateOf(state: string): SessionState {
  return state === 'succeeded' || state === 'ended' ? state : 'open';
}

/** connect 5, rule 10. */
export function mayChooseAnother({
  beganAs,
  presetInstitutionId,
}: Pick<SessionRecord, 'beganAs' | 'presetInstitutionId'>): boolean {
  return beganAs === 'link' && presetInstitutionId === null;
}
