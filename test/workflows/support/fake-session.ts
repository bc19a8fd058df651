import { CancelledFailure } from '@temporalio/activity';
import { failureOf } from '../../../activities/failures.js';
import type { LinkingActivities } from '../../../activities/linking/linking-activities.js';
import type {
  Deadline,
  QuestionAnswer,
  StartedLogin,
} from '../../../activities/linking/session-state.js';
import { withHeartbeats } from '../../../activities/heartbeats.js';
import type { BankAnswer, LoginActivities } from '../../../activities/linking/login-activities.js';
import type { BankLoginResult } from '../../../activities/linking/bank-login-result.js';
import { FAILURE_MEANINGS } from '../../../domain/errors/failure-mapping.js';
import type { LinkingQuestion } from '../../../domain/session/linking-questions.js';
import type { StepKind } from '../../../domain/session/connect-step.js';
import type { RowPhase } from '../../../domain/session/session-phase.js';
import type { ProviderCause } from '../../../domain/errors/provider-failure.js';

export const FAKE_PROVIDER = 'fake';

/** The responses of the bank: each call uses the next entry, and the last one repeatedly. */
export type BankBehavior = (
  signal: AbortSignal,
  answer: BankAnswer['answer'] | null,
) => BankLoginResult | Promise<BankLoginResult>;

export interface ShownInRow {
  seq: number;
  /**
   * The kind; for an error step its id; and after `!` the reason why the last answer was rejected.
   */
  step: string;
  accepted: boolean;
}

/** The row of one session, as the database would keep it, and the bank as a script. */
export class FakeSession {
  state: 'open' | 'succeeded' | 'ended' = 'open';
  shown: ShownInRow[] = [];
  calls: string[] = [];
  /**
   * The time of the next check for expiry, and its result: until the test ends it, every check
   * finds it moved. Null means that it does not expire.
   */
  deadline: { lookAgainInMs: number; isOver: boolean } | null = null;
  looks = 0;
  bank: BankBehavior[] = [() => ({ kind: 'linked', accounts: 2, questions: [] })];
  /**
   * The user already has a link here, and the app requested a warning. Null means that the link is
   * gone.
   */
  another: { linkId: string; state: 'connected' | 'error'; error: 'auth_expired' | null } | null =
    null;
  extension: 'offered' | 'chosen' | null = null;
  /** True if the bank has a login on its own pages. */
  redirects = false;
  /** The time that the user may stay there, and the deadlines of the attempts by their names. */
  redirectMs = 60_000;
  /** The response of the bank to the next request for a redirect, in place of the usual one. */
  opening: BankBehavior | null = null;
  attempts = new Map<string, number>();
  presetInstitutionId: string | null = null;
  institutionId: string | null = null;
  bankAccepted = false;
  /** The login received a permission before it failed or was lost. */
  hasGrant = false;
  preparedKind: StepKind | null = null;
  /** The questions after the login, and the answers at the end. */
  questions: LinkingQuestion[] = [];
  answers: QuestionAnswer[] = [];
  mayRepeat = false;
  /** True if another provider reaches the bank, too. */
  hasAnotherRoute = false;
  login: StartedLogin | null = null;
  stepExpiresAt: number | null = null;
  /** The outcome of the link, where a test sets it. */
  link: Deadline['link'] = null;
  /** Makes the next call of this activity fail. */
  failing = new Map<string, () => Error>();

  get seq(): number {
    return this.shown.at(-1)?.seq ?? 0;
  }

  /** The name that the database uses. */
  get phase(): RowPhase {
    const step = this.steps.at(-1);
    const kind = kindOf(step);
    if (kind === null) return 'unopened';
    if (this.bankAccepted && kind !== 'error' && kind !== 'success') return 'asking';
    switch (kind) {
      case 'select_institution':
        return 'choosingBank';
      case 'redirect':
        return step === 'redirect started' ? 'awayAtBank' : 'offeringRedirect';
      case 'choice':
        return this.extension === 'offered' ? 'offeringExtension' : 'answering';
      case 'wait':
        return this.preparedKind === 'wait' ? 'waitingAtBank' : 'callingBank';
      case 'error':
        return 'showingProblem';
      case 'success':
        return 'succeeded';
      case 'consent':
      case 'select_accounts':
        return 'asking';
      case 'form':
      case 'otp':
      case 'image':
        return 'answering';
    }
  }

  /** The steps in the order of their numbers. */
  get steps(): string[] {
    return this.shown.map(({ step }) => step);
  }

  count(call: string): number {
    return this.calls.filter((made) => made.startsWith(call)).length;
  }

  show(seq: number, step: string, accepted = false): Deadline {
    if (seq > this.seq) {
      this.shown.push({ seq, step, accepted });
      this.stepExpiresAt = null;
    }
    return this.look();
  }

  look(): Deadline {
    this.looks += 1;
    if (this.deadline?.isOver) {
      this.state = 'ended';
      this.deadline = null;
    }
    return {
      state: this.state,
      lookAgainInMs: this.deadline?.lookAgainInMs ?? null,
      link: this.link ?? null,
    };
  }

  recordCall(call: string): void {
    this.calls.push(call);
    const name = call.split(' ')[0] ?? call;
    const failure = this.failing.get(name);
    if (failure === undefined) return;
    this.failing.delete(name);
    throw failureOf(failure());
  }
}

/** The activities of linking over sessions that a test controls. */
export function createFakeActivities(sessions: Map<string, FakeSession>): {
  links: LinkingActivities;
  bank: LoginActivities;
} {
  const session = (sessionId: string): FakeSession => {
    const found = sessions.get(sessionId);
    if (found === undefined) throw new Error(`the test has no session ${sessionId}`);
    return found;
  };

  const links: LinkingActivities = {
    async loadSession(sessionId) {
      const row = sessions.get(sessionId);
      if (row === undefined) return null;
      row.recordCall('loadSession');
      return {
        state: row.state,
        seq: row.seq,
        phase: row.phase,
        lastStep: row.extension === 'offered' ? 'extension' : row.preparedKind,
        question: row.questions.find((question) => question === kindOf(row.steps.at(-1))) ?? null,
        hasGrant: row.hasGrant,
        questions: row.bankAccepted ? row.questions : [],
        presetInstitutionId: row.presetInstitutionId,
        // A login that was accepted has a bank.
        institutionId: row.institutionId ?? (row.bankAccepted ? 'fake-bank' : null),
        isExtension: row.extension === 'chosen',
        mayChooseAnother: row.presetInstitutionId === null,
        login: row.login,
        stepExpiresInMs:
          row.stepExpiresAt === null ? null : Math.max(0, row.stepExpiresAt - Date.now()),
      };
    },
    async showStep({ sessionId, seq, accepted, content, error }) {
      const row = session(sessionId);
      row.recordCall(`showStep ${content.kind}`);
      if (content.kind === 'select_institution') row.extension = null;
      return row.show(
        seq,
        error === null ? content.kind : `${content.kind} !${error.code}`,
        accepted,
      );
    },
    async showPreparedStep({ sessionId, seq, accepted, interrupted }) {
      const row = session(sessionId);
      row.recordCall(`showPreparedStep ${row.preparedKind}`);
      return row.show(seq, `${row.preparedKind}${interrupted ? ' !interrupted' : ''}`, accepted);
    },
    async showProblem({ sessionId, seq, accepted, problem }) {
      const row = session(sessionId);
      row.recordCall(`showProblem ${problem}`);
      return row.show(seq, problem, accepted);
    },
    async beginLogin({ sessionId, institutionId, seq, separateLink = false, isRetry = false }) {
      const row = session(sessionId);
      const isResumed = isRetry && row.hasGrant;
      const how = isResumed ? ' resumed' : separateLink ? ' separateLink' : '';
      row.recordCall(`beginLogin ${institutionId}${how}`);
      row.institutionId = institutionId;
      if (isResumed) {
        row.preparedKind = null;
        row.login = {
          linkId: `mk_${sessionId}`,
          provider: FAKE_PROVIDER,
          institutionId,
          attemptKey: `${sessionId}/${seq}`,
          mayRepeat: true,
          isResumed: true,
        };
        return row.login;
      }
      row.hasGrant = false;
      if (row.another !== null && !separateLink && row.extension !== 'chosen') {
        row.extension = 'offered';
        row.preparedKind = 'choice';
        return { extensionAt: institutionId };
      }
      row.bankAccepted = false;
      if (row.redirects) {
        row.preparedKind = 'redirect';
        return { redirectTo: institutionId };
      }
      row.login = {
        linkId: row.extension === 'chosen' ? (row.another?.linkId ?? 'gone') : `mk_${sessionId}`,
        provider: FAKE_PROVIDER,
        institutionId,
        attemptKey: `${sessionId}/${seq}`,
        mayRepeat: row.mayRepeat,
        route: { reason: 'preferred', possible: 1, dropped: 2 },
      };
      return row.login;
    },
    async takeNextRoute({ sessionId, institutionId, seq, failed }) {
      const row = session(sessionId);
      row.recordCall(`takeNextRoute ${institutionId} after ${failed}`);
      if (!row.hasAnotherRoute) return null;
      if (row.redirects) {
        row.login = null;
        row.preparedKind = 'redirect';
        return { redirectTo: institutionId };
      }
      row.login = {
        linkId: `mk_${sessionId}`,
        provider: FAKE_PROVIDER,
        institutionId,
        attemptKey: `${sessionId}/${seq}/2`,
        mayRepeat: row.mayRepeat,
        route: { reason: 'only_route', possible: 0, dropped: 3 },
      };
      return row.login;
    },
    async extendLink(sessionId) {
      const row = session(sessionId);
      row.recordCall('extendLink');
      row.preparedKind = null;
      row.extension = row.another === null ? null : 'chosen';
      return row.another;
    },
    async beginRedirectLogin({ sessionId, institutionId, seq }) {
      const row = session(sessionId);
      row.recordCall(`beginRedirectLogin ${institutionId}`);
      row.login = {
        linkId: `mk_${sessionId}`,
        provider: FAKE_PROVIDER,
        institutionId,
        attemptKey: `${sessionId}/${seq}`,
        mayRepeat: row.mayRepeat,
      };
      return row.login;
    },
    async showStartedRedirect({ sessionId, seq, accepted, way }) {
      const row = session(sessionId);
      row.recordCall(`showStartedRedirect ${way}`);
      const deadline = row.show(seq, 'redirect started', accepted);
      row.stepExpiresAt = row.attempts.get(way) ?? null;
      return deadline;
    },
    async showQuestion({ sessionId, seq, accepted, question, granted, canGoBack }) {
      const row = session(sessionId);
      row.recordCall(`showQuestion ${question}`);
      if (granted !== undefined) row.answers.push({ granted });
      return row.show(seq, `${question}${canGoBack ? ' <' : ''}`, accepted);
    },
    async finishLinking({ sessionId, seq, accepted, granted, refs }) {
      const row = session(sessionId);
      row.recordCall('finishLinking');
      row.answers.push({
        ...(granted === undefined ? {} : { granted }),
        ...(refs === undefined ? {} : { refs }),
      });
      row.state = 'succeeded';
      const deadline = row.show(seq, 'success', accepted);
      return row.link === null ? deadline : { ...deadline, link: row.link };
    },
    async failLogin({ sessionId, seq, accepted, cause }) {
      const row = session(sessionId);
      row.recordCall(`failLogin ${cause}`);
      return row.show(seq, FAILURE_MEANINGS[cause].errorId, accepted);
    },
    async exitAttempt({ sessionId, seq, content }) {
      const row = session(sessionId);
      row.recordCall('exitAttempt');
      // A relink stays at its institution.
      if (row.presetInstitutionId === null) row.institutionId = null;
      row.extension = null;
      row.login = null;
      row.preparedKind = null;
      row.bankAccepted = false;
      row.hasGrant = false;
      return row.show(seq, content.kind);
    },
    async cancelSession(sessionId) {
      const row = session(sessionId);
      row.recordCall('cancelSession');
      row.state = 'ended';
    },
    async expireIfDue(sessionId) {
      return session(sessionId).look();
    },
  };

  const atTheBank = async (
    sessionId: string,
    call: string,
    answer: BankAnswer['answer'] | null,
    way?: string,
  ): Promise<BankLoginResult> => {
    const row = session(sessionId);
    row.recordCall(call);
    const [behavior] =
      way === undefined
        ? row.bank
        : [
            row.opening ??
              ((): BankLoginResult => ({ kind: 'away', way, expiresInMs: row.redirectMs })),
          ];
    if (way !== undefined) row.opening = null;
    if (behavior === undefined) throw new Error('the bank has no script');
    if (way === undefined && row.bank.length > 1) row.bank.shift();
    return withHeartbeats(async (signal) => {
      try {
        const result = await behavior(signal, answer);
        if (result.kind === 'away') row.attempts.set(result.way, Date.now() + result.expiresInMs);
        if (result.kind === 'step') row.preparedKind = result.step;
        if (result.kind !== 'linked') return result;
        row.bankAccepted = true;
        row.hasGrant = false;
        row.preparedKind = null;
        return { ...result, questions: row.questions };
      } catch (error) {
        throw failureOf(error);
      }
    });
  };

  return {
    links,
    bank: {
      logInWithoutPerson: () => Promise.reject(new Error('no_one logs in without a person here')),
      openBankLogin: ({ sessionId, attemptKey }) =>
        atTheBank(sessionId, `openBankLogin ${attemptKey}`, null),
      startBankRedirect: ({ sessionId, way }) =>
        atTheBank(sessionId, `startBankRedirect ${way}`, null, way),
      completeBankRedirect: ({ sessionId, way }) =>
        atTheBank(sessionId, `completeBankRedirect ${way}`, null),
      awaitBank: ({ sessionId }) => atTheBank(sessionId, 'awaitBank', null),
      answerBankStep: ({ sessionId, answer, attemptsLeft }) =>
        atTheBank(
          sessionId,
          `answerBankStep ${'sealedAs' in answer ? answer.sealedAs : answer.kind} left ${attemptsLeft}`,
          answer,
        ),
    },
  };
}

function kindOf(step: string | undefined): StepKind | null {
  if (step === undefined) return null;
  return (step.startsWith('connect_error.') ? 'error' : (step.split(' ')[0] ?? step)) as StepKind;
}

/** A bank that requires another step. */
export const asks = (
  step: 'form' | 'otp' | 'choice' | 'image' | 'wait',
  more: { refused?: boolean; attemptsLeft?: number | null; expiresInMs?: number | null } = {},
): BankLoginResult => ({
  kind: 'step',
  step,
  refused: more.refused ?? false,
  attemptsLeft: more.attemptsLeft ?? null,
  expiresInMs: more.expiresInMs ?? null,
});

/**
 * A bank that responds only once it receives the announcement, or learns that no one waits anymore.
 */
export function slowBank(): {
  behavior: BankBehavior;
  asked: () => boolean;
  answer: (result: BankLoginResult) => void;
  canceled: () => boolean;
} {
  let wasAsked = false;
  let wasCanceled = false;
  let answer: (result: BankLoginResult) => void = () => undefined;
  const answered = new Promise<BankLoginResult>((resolve) => {
    answer = resolve;
  });
  return {
    behavior: (signal) => {
      wasAsked = true;
      const canceled = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => {
          wasCanceled = true;
          reject(new Error('aborted'));
        });
      });
      return Promise.race([answered, canceled]);
    },
    asked: () => wasAsked,
    answer,
    canceled: () => wasCanceled,
  };
}

/** The failure that a workflow sees when the worker of an activity was stopped in the middle. */
export const lost: BankBehavior = () => {
  throw new CancelledFailure('the worker went away');
};

export const refuses =
  (cause: ProviderCause, failure: (cause: ProviderCause) => Error): BankBehavior =>
  () => {
    throw failure(cause);
  };
