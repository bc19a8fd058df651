import { isConnectProblem } from '../../domain/session/connect-problem.js';
import { makeStep } from '../../domain/session/connect-step.js';
import { FAILURE_MEANINGS } from '../../domain/errors/failure-mapping.js';
import type { ProviderCause } from '../../domain/errors/provider-failure.js';
import type { LinkSessionRepository } from '../../prisma/links/sessions/link-session.repository.js';
import type { LinkingQuestionRepository } from '../../prisma/work/linking/linking-question.repository.js';
import type { LoginAttemptRepository } from '../../prisma/work/linking/login-attempt.repository.js';
import type { SessionTimeRepository } from '../../prisma/work/linking/session-time.repository.js';
import { problemOf } from './begin-login-activities.js';
import type { Deadline, WorkflowStep, QuestionAnswer, NextStep } from './session-state.js';
import type { StepProjection } from './step-projection.js';

export interface AttemptEndActivityDeps {
  sessions: Pick<LinkSessionRepository, 'acceptAnswer'>;
  questions: Pick<LinkingQuestionRepository, 'finishLinking'>;
  attempts: Pick<LoginAttemptRepository, 'failLogin' | 'exitAttempt'>;
  times: Pick<SessionTimeRepository, 'cancelSession'>;
}

/** The ends of a login attempt: success, failure, exit, or cancellation from outside. */
export function createAttemptEndActivities(
  { sessions, questions, attempts, times }: AttemptEndActivityDeps,
  { errorStep, lookUpDeadline, showProblem }: StepProjection,
) {
  return {
    async finishLinking({
      sessionId,
      seq,
      accepted,
      granted,
      refs,
    }: NextStep & QuestionAnswer): Promise<Deadline> {
      if (accepted) await sessions.acceptAnswer(sessionId);
      try {
        await questions.finishLinking(
          sessionId,
          { seq, step: makeStep(seq, { kind: 'success' }) },
          { granted: granted ?? null, refs: refs ?? null },
        );
      } catch (error) {
        // link-lifecycle 12: relinking a link that was never connected counts against the trial
        // limit here. 2.5: another session may have linked the institution first.
        return showProblem({ sessionId, seq, accepted: false, problem: problemOf(error) });
      }
      return lookUpDeadline(sessionId);
    },

    async failLogin({
      sessionId,
      seq,
      accepted,
      cause,
    }: NextStep & { cause: ProviderCause }): Promise<Deadline> {
      if (accepted) await sessions.acceptAnswer(sessionId);
      const { errorId } = FAILURE_MEANINGS[cause];
      await attempts.failLogin(sessionId, cause, {
        seq,
        step: await errorStep(
          sessionId,
          seq,
          isConnectProblem(errorId) ? errorId : 'connect_error.internal',
        ),
      });
      return lookUpDeadline(sessionId);
    },

    async exitAttempt({
      sessionId,
      seq,
      content,
    }: {
      sessionId: string;
      seq: number;
      content: WorkflowStep;
    }): Promise<Deadline> {
      await attempts.exitAttempt(sessionId, { seq, step: makeStep(seq, content) });
      return lookUpDeadline(sessionId);
    },

    async cancelSession(sessionId: string): Promise<void> {
      await times.cancelSession(sessionId);
    },

    expireIfDue: lookUpDeadline,
  };
}
