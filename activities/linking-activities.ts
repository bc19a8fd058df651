import { isConnectProblem, makeErrorStep, type ConnectProblemId } from '../domain/connect-problem.js';
import { makeStep, type Step, type StepContent, type StepKind } from '../domain/connect-step.js';
import { DuplicateInstitution } from '../domain/duplicate-institution.js';
import { isExtensionOffer } from '../domain/extension-offer.js';
import { FAILURE_MEANINGS } from '../domain/failure-mapping.js';
import type { LinkError, LinkState } from '../domain/link-state.js';
import type { LinkingQuestion } from '../domain/linking-questions.js';
import type { Product } from '../domain/products.js';
import type { ProviderCause } from '../domain/provider-failure.js';
import { apiTimestamp, parseApiTimestamp } from '../domain/timestamps.js';
import { TrialLimitReached } from '../domain/trial-limit.js';
import type { ExtendedLink, ExtensionRepository } from '../prisma/repositories/extension.repository.js';
import type { InstitutionRepository } from '../prisma/repositories/institution.repository.js';
import type { LinkSessionRepository } from '../prisma/repositories/link-session.repository.js';
import type { SessionRecord } from '../prisma/repositories/session-record.js';
import type { LinkingRepository, PreparedStep } from '../prisma/repositories/linking.repository.js';
import type { OAuthStateRepository } from '../prisma/repositories/oauth-state.repository.js';
import type { ProviderRegistry } from '../providers/registry.js';

export interface LinkingActivityDeps {
  sessions: Pick<LinkSessionRepository, 'get' | 'projectStep' | 'acceptAnswer'>;
  linking: Pick<LinkingRepository,
    'beginLogin' | 'offerRedirect' | 'loginFacts' | 'preparedStep' | 'questions' | 'question' | 'finishLinking' | 'failLogin' | 'exitAttempt' | 'cancelSession' | 'expireIfDue'>;
  extensions: Pick<ExtensionRepository, 'offer' | 'extend'>;
  ways: Pick<OAuthStateRepository, 'expiryOf'>;
  institutions: Pick<InstitutionRepository, 'findAny'>;
  providers: Pick<ProviderRegistry, 'get'>;
  now: () => Date;
}

/** What a workflow may know of a session: of a step only its kind, since the rest may be the bank's words or a picture. */
export interface SessionStanding {
  state: SessionState;
  seq: number;
  stepKind: StepKind | null;
  preparedKind: StepKind | null;
  /** The bank accepted the login of the current attempt. */
  bankAccepted: boolean;
  /** What the user is asked after that; missing in histories from before there were questions. */
  questions?: LinkingQuestion[];
  presetInstitutionId: string | null;
  /** The user is asked whether to extend the link there is; or has said so. Missing = no. */
  extension?: 'offered' | 'chosen';
  /** Chosen in the current attempt. */
  institutionId: string | null;
  mayChooseAnother: boolean;
  /** The login under way at the bank, if there is one. */
  login: StartedLogin | null;
  /** Until the time for the step is over; null = it has no limit of its own. */
  stepExpiresInMs: number | null;
}

export type SessionState = 'open' | 'succeeded' | 'ended';

export interface StartedLogin {
  linkId: string;
  provider: string;
  institutionId: string;
  /** The same key again is the same login (LoginContext.attemptKey). */
  attemptKey: string;
  /** A lost login may be sent again (ProviderFacts.idempotentLogin). */
  mayRepeat: boolean;
}

/** The bank has a login of its own pages: it begins when the user sets out for them. */
export interface OfferedRedirect {
  redirectTo: string;
}

/** link-lifecycle 2.5: the user has a link there already, and is asked first. */
export interface OfferedExtension {
  extensionAt: string;
}

/** Why there is no login at all, in the words of Connect. */
export interface RefusedLogin {
  problem: ConnectProblemId;
}

export interface Deadline {
  state: SessionState;
  /** Until there can be something to do; null = nothing to wait for. */
  lookAgainInMs: number | null;
  /** The link of the attempt, where it was looked at; missing in histories from before it was told. */
  link?: { state: LinkState; error: LinkError | null } | null;
}

/** A step to show next: its number, and whether it follows from an answer of the user. */
export interface Showing {
  sessionId: string;
  seq: number;
  accepted: boolean;
}

/** What the user said to a question. */
export interface QuestionAnswer {
  granted?: Product[];
  /** Accounts, by the names they had in the step. */
  refs?: string[];
}

/** Steps that a workflow makes itself: nothing of the bank or the user is in them. */
export type OwnStep = Extract<StepContent, { kind: 'select_institution' | 'wait' }>;

/** A timer of Temporal may fire a little before the clock of this process has reached the deadline. */
const PAST_DEADLINE_MS = 25;

/**
 * Steps of linking that only touch the database. Each may run twice, since a worker can die after the commit and
 * before it says so, and then changes nothing the second time.
 */
export function createLinkingActivities({ sessions, linking, extensions, ways, institutions, providers, now }: LinkingActivityDeps) {
  return {
    async loadSession(sessionId: string): Promise<SessionStanding | null> {
      const session = await sessions.get(sessionId);
      if (session === null) return null;
      const { seq, step, bankAccepted, presetInstitutionId, institutionId } = session;
      const prepared = await linking.preparedStep(sessionId);
      const facts = await linking.loginFacts(sessionId);
      const extension = extensionOf(session, prepared);
      return {
        state: stateOf(session.state), seq, bankAccepted, presetInstitutionId, institutionId, ...(extension === null ? {} : { extension }),
        questions: bankAccepted ? await linking.questions(sessionId) : [],
        stepKind: step?.kind ?? null,
        preparedKind: prepared?.content.kind ?? null,
        mayChooseAnother: mayChooseAnother(session),
        login: facts === null || facts.attemptKey === null || institutionId === null ? null : started({ ...facts, institutionId }, facts.attemptKey),
        stepExpiresInMs: step?.expires_at ? Math.max(0, parseApiTimestamp(step.expires_at).getTime() - now().getTime()) : null,
      };
    },

    async showStep({ sessionId, seq, accepted, content, error }: Showing & { content: OwnStep; error: Step['error'] }): Promise<Deadline> {
      return project({ sessionId, seq, accepted }, makeStep(seq, content, { error }));
    },

    /** The step that the login prepared last. It stays prepared, so that it can be shown again. */
    async showPreparedStep({ sessionId, seq, accepted, canGoBack, interrupted }: Showing & { canGoBack: boolean; interrupted: boolean }): Promise<Deadline> {
      const prepared = await linking.preparedStep(sessionId);
      if (prepared === null) return showProblem({ sessionId, seq, accepted, problem: 'connect_error.internal' });
      const { content, message, attemptsLeft, expiresAt } = prepared;
      const error = interrupted ? INTERRUPTED : prepared.error;
      const base = { message, error, can_go_back: canGoBack, attempts_left: attemptsLeft, expires_at: expiresAt === null ? null : apiTimestamp(new Date(expiresAt)) };
      return project({ sessionId, seq, accepted }, makeStep(seq, content, base));
    },

    showProblem,

    /** `anew` = the user wants another link at the institution, whatever there is. */
    async beginLogin({ anew = false, ...login }: { sessionId: string; institutionId: string; seq: number; anew?: boolean }): Promise<StartedLogin | OfferedExtension | OfferedRedirect | RefusedLogin> {
      try {
        if (!anew && await extensions.offer(login.sessionId, login.institutionId)) return { extensionAt: login.institutionId };
        if (await linking.offerRedirect(login.sessionId, login.institutionId)) return { redirectTo: login.institutionId };
      } catch (error) {
        return { problem: problemOf(error) };
      }
      return begin(login);
    },

    /** Makes a relink of the session; null = there is no link to extend any more. */
    async extendLink(sessionId: string): Promise<ExtendedLink | null> {
      return extensions.extend(sessionId);
    },

    /** The user sets out for the bank's own pages. link-lifecycle 6.2: only now the login has started. */
    async beginRedirectLogin(login: { sessionId: string; institutionId: string; seq: number }): Promise<StartedLogin | RefusedLogin> {
      return begin(login);
    },

    async showStartedRedirect({ sessionId, seq, accepted, canGoBack, way }: Showing & { canGoBack: boolean; way: string }): Promise<Deadline> {
      const expiresAt = await ways.expiryOf(sessionId, way);
      return project({ sessionId, seq, accepted }, makeStep(seq, { kind: 'redirect', started: expiresAt !== null }, { can_go_back: canGoBack, expires_at: expiresAt === null ? null : apiTimestamp(expiresAt) }));
    },

    /** A question to the user: names and balances are read where the step is stored, and go no further. */
    async showQuestion({ sessionId, seq, accepted, question, granted, canGoBack }: Showing & QuestionAnswer & { question: LinkingQuestion; canGoBack: boolean }): Promise<Deadline> {
      const content = await linking.question(sessionId, question);
      if (content === null) return showProblem({ sessionId, seq, accepted, problem: 'connect_error.internal' });
      return project({ sessionId, seq, accepted }, makeStep(seq, content, { can_go_back: canGoBack }), granted);
    },

    async finishLinking({ sessionId, seq, accepted, granted, refs }: Showing & QuestionAnswer): Promise<Deadline> {
      if (accepted) await sessions.acceptAnswer(sessionId);
      try {
        await linking.finishLinking(sessionId, { seq, step: makeStep(seq, { kind: 'success' }) }, { granted: granted ?? null, refs: refs ?? null });
      } catch (error) {
        // link-lifecycle 12: a relink of a link never connected takes its place here. 2.5: another session was faster.
        return showProblem({ sessionId, seq, accepted: false, problem: problemOf(error) });
      }
      return lookUpDeadline(sessionId);
    },

    async failLogin({ sessionId, seq, accepted, cause }: Showing & { cause: ProviderCause }): Promise<Deadline> {
      if (accepted) await sessions.acceptAnswer(sessionId);
      const { errorId } = FAILURE_MEANINGS[cause];
      await linking.failLogin(sessionId, cause, { seq, step: await errorStep(sessionId, seq, isConnectProblem(errorId) ? errorId : 'connect_error.internal') });
      return lookUpDeadline(sessionId);
    },

    async exitAttempt({ sessionId, seq, content }: { sessionId: string; seq: number; content: OwnStep }): Promise<Deadline> {
      await linking.exitAttempt(sessionId, { seq, step: makeStep(seq, content) });
      return lookUpDeadline(sessionId);
    },

    async cancelSession(sessionId: string): Promise<void> {
      await linking.cancelSession(sessionId);
    },

    expireIfDue: lookUpDeadline,
  };

  async function begin({ sessionId, institutionId, seq }: { sessionId: string; institutionId: string; seq: number }): Promise<StartedLogin | RefusedLogin> {
    const attemptKey = `${sessionId}/${seq}`;
    try {
      return started(await linking.beginLogin(sessionId, institutionId, attemptKey), attemptKey);
    } catch (error) {
      return { problem: problemOf(error) };
    }
  }

  function started({ linkId, provider, institutionId }: Pick<StartedLogin, 'linkId' | 'provider' | 'institutionId'>, attemptKey: string): StartedLogin {
    return { linkId, provider, institutionId, attemptKey, mayRepeat: providers.get(provider).facts.idempotentLogin };
  }

  async function showProblem({ sessionId, seq, accepted, problem }: Showing & { problem: ConnectProblemId }): Promise<Deadline> {
    return project({ sessionId, seq, accepted }, await errorStep(sessionId, seq, problem));
  }

  async function errorStep(sessionId: string, seq: number, problem: ConnectProblemId): Promise<Step> {
    const session = await sessions.get(sessionId);
    const institutionId = session?.institutionId ?? session?.presetInstitutionId ?? null;
    const institution = institutionId === null ? null : await institutions.findAny(institutionId);
    const institutionUrl = institution === null || institution.domain === null ? null : `https://${institution.domain}`;
    return makeStep(seq, makeErrorStep(problem, { mayChooseAnother: session !== null && mayChooseAnother(session), institutionUrl }));
  }

  async function project({ sessionId, seq, accepted }: Showing, step: Step, granted?: readonly Product[]): Promise<Deadline> {
    const { expiresAt } = await sessions.projectStep(sessionId, { seq, step, accepted, granted });
    return { state: 'open', lookAgainInMs: until(expiresAt) };
  }

  async function lookUpDeadline(sessionId: string): Promise<Deadline> {
    const { state, nextDeadline, link } = await linking.expireIfDue(sessionId);
    return { state: stateOf(state), lookAgainInMs: nextDeadline === null ? null : until(nextDeadline), link };
  }

  function until(deadline: Date): number {
    return Math.max(0, deadline.getTime() - now().getTime()) + PAST_DEADLINE_MS;
  }
}

/** connect 5, rule 12. */
const INTERRUPTED = { code: 'interrupted', text: 'This was interrupted. Please try again.' };

/** Why the rules of the app let no link come into being; anything else is thrown on. */
function problemOf(error: unknown): ConnectProblemId {
  if (error instanceof TrialLimitReached) return 'connect_error.trial_limit_reached';
  if (error instanceof DuplicateInstitution) return 'connect_error.duplicate_institution';
  throw error;
}

function extensionOf({ mode, beganAs }: SessionRecord, prepared: PreparedStep | null): SessionStanding['extension'] | null {
  if (mode !== beganAs) return 'chosen';
  return prepared !== null && isExtensionOffer(prepared.content) ? 'offered' : null;
}

function stateOf(state: string): SessionState {
  return state === 'succeeded' || state === 'ended' ? state : 'open';
}

/** connect 5, rule 10. */
function mayChooseAnother({ beganAs, presetInstitutionId }: Pick<SessionRecord, 'beganAs' | 'presetInstitutionId'>): boolean {
  return beganAs === 'link' && presetInstitutionId === null;
}

export type LinkingActivities = ReturnType<typeof createLinkingActivities>;
