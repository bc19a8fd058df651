import { makeStep, type Step } from '../../domain/session/connect-step.js';
import { isExtensionOffer } from '../../domain/session/extension-offer.js';
import { LINKING_QUESTIONS, type LinkingQuestion } from '../../domain/session/linking-questions.js';
import { apiTimestamp, parseApiTimestamp } from '../../domain/api/timestamps.js';
import type { BankLoginRepository } from '../../prisma/work/linking/bank-login.repository.js';
import type { LoginGrantRepository } from '../../prisma/work/linking/login-grant.repository.js';
import type { LinkSessionRepository } from '../../prisma/links/sessions/link-session.repository.js';
import type { LinkingQuestionRepository } from '../../prisma/work/linking/linking-question.repository.js';
import type { OAuthStateRepository } from '../../prisma/links/sessions/oauth-state.repository.js';
import type { PreparedStep } from '../../prisma/work/linking/prepared-step.js';
import type { ProviderRegistry } from '../../providers/registry.js';
import type {
  Deadline,
  WorkflowStep,
  QuestionAnswer,
  SessionSnapshot,
  NextStep,
} from './session-state.js';
import { startedLogin } from './started-login.js';
import { mayChooseAnother, stateOf, type StepProjection } from './step-projection.js';

export interface StepActivityDeps {
  sessions: Pick<LinkSessionRepository, 'get'>;
  bankLogins: Pick<BankLoginRepository, 'loginFacts' | 'preparedStep'>;
  grants: Pick<LoginGrantRepository, 'isHeld'>;
  questions: Pick<LinkingQuestionRepository, 'questions' | 'question'>;
  redirectAttempts: Pick<OAuthStateRepository, 'expiryOf'>;
  providers: Pick<ProviderRegistry, 'get'>;
  now: () => Date;
}

/** Loads a session and shows its steps. */
export function createStepActivities(
  {
    sessions,
    bankLogins,
    grants,
    questions,
    redirectAttempts: attempts,
    providers,
    now,
  }: StepActivityDeps,
  { project, showProblem }: StepProjection,
) {
  return {
    async loadSession(sessionId: string): Promise<SessionSnapshot | null> {
      const session = await sessions.get(sessionId);
      if (session === null) return null;
      const { seq, step, phase, bankAccepted, presetInstitutionId, institutionId } = session;
      const prepared = await bankLogins.preparedStep(sessionId);
      const facts = await bankLogins.loginFacts(sessionId);
      return {
        state: stateOf(session.state),
        seq,
        phase,
        presetInstitutionId,
        institutionId,
        // link-lifecycle 2.5: the user turned a new link into a relink.
        isExtension: session.mode !== session.beganAs,
        lastStep: lastStepOf(prepared),
        question: LINKING_QUESTIONS.find((question) => question === step?.kind) ?? null,
        questions: phase === 'asking' ? await questions.questions(sessionId) : [],
        mayChooseAnother: mayChooseAnother(session),
        login:
          facts === null || facts.attemptKey === null || institutionId === null
            ? null
            : startedLogin(providers, { ...facts, institutionId }, facts.attemptKey),
        hasGrant: !bankAccepted && (await grants.isHeld(sessionId)),
        stepExpiresInMs: step?.expires_at
          ? Math.max(0, parseApiTimestamp(step.expires_at).getTime() - now().getTime())
          : null,
      };
    },

    async showStep({
      sessionId,
      seq,
      accepted,
      content,
      error,
    }: NextStep & { content: WorkflowStep; error: Step['error'] }): Promise<Deadline> {
      return project({ sessionId, seq, accepted }, makeStep(seq, content, { error }));
    },

    /**
     * Shows the step that the login prepared last. It stays prepared, so that it can be shown
     * again.
     */
    async showPreparedStep({
      sessionId,
      seq,
      accepted,
      canGoBack,
      interrupted,
    }: NextStep & { canGoBack: boolean; interrupted: boolean }): Promise<Deadline> {
      const prepared = await bankLogins.preparedStep(sessionId);
      if (prepared === null)
        return showProblem({ sessionId, seq, accepted, problem: 'connect_error.internal' });
      const { content, message, attemptsLeft, expiresAt } = prepared;
      const error = interrupted ? INTERRUPTED : prepared.error;
      const base = {
        message,
        error,
        can_go_back: canGoBack,
        attempts_left: attemptsLeft,
        expires_at: expiresAt === null ? null : apiTimestamp(new Date(expiresAt)),
      };
      return project({ sessionId, seq, accepted }, makeStep(seq, content, base));
    },

    showProblem,

    async showStartedRedirect({
      sessionId,
      seq,
      accepted,
      canGoBack,
      redirectId,
    }: NextStep & { canGoBack: boolean; redirectId: string }): Promise<Deadline> {
      const expiresAt = await attempts.expiryOf(sessionId, redirectId);
      return project(
        { sessionId, seq, accepted },
        makeStep(
          seq,
          { kind: 'redirect', started: expiresAt !== null },
          {
            can_go_back: canGoBack,
            expires_at: expiresAt === null ? null : apiTimestamp(expiresAt),
          },
        ),
      );
    },

    /**
     * Shows a question to the user. Names and balances stay in the database, where the step is
     * stored.
     */
    async showQuestion({
      sessionId,
      seq,
      accepted,
      question,
      granted,
      canGoBack,
    }: NextStep &
      QuestionAnswer & { question: LinkingQuestion; canGoBack: boolean }): Promise<Deadline> {
      const content = await questions.question(sessionId, question);
      if (content === null)
        return showProblem({ sessionId, seq, accepted, problem: 'connect_error.internal' });
      return project(
        { sessionId, seq, accepted },
        makeStep(seq, content, { can_go_back: canGoBack }),
        granted,
      );
    },
  };
}

/** connect 5, rule 12. */
const INTERRUPTED = { code: 'interrupted', text: 'This was interrupted. Please try again.' };

function lastStepOf(prepared: PreparedStep | null): SessionSnapshot['lastStep'] {
  if (prepared === null) return null;
  return isExtensionOffer(prepared.content) ? 'extension' : prepared.content.kind;
}
