import { failureOf } from '../../../activities/failures.js';
import type { LinkingActivities } from '../../../activities/linking/linking-activities.js';
import { withHeartbeats } from '../../../activities/heartbeats.js';
import { withinPatience } from '../../../activities/linking/within-patience.js';
import type { BankAnswer, LoginActivities } from '../../../activities/linking/login-activities.js';
import type { BankLoginResult } from '../../../activities/linking/bank-login-result.js';
import { FAILURE_MEANINGS } from '../../../domain/errors/failure-mapping.js';
import type { StepKind } from '../../../domain/session/connect-step.js';
import { FAKE_PROVIDER, FakeSession } from './fake-session.js';

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
        ...patienceOf(row),
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
        ...patienceOf(row),
      };
      return row.login;
    },
    async showStartedRedirect({ sessionId, seq, accepted, redirectId }) {
      const row = session(sessionId);
      row.recordCall(`showStartedRedirect ${redirectId}`);
      const deadline = row.show(seq, 'redirect started', accepted);
      row.stepExpiresAt = row.attempts.get(redirectId) ?? null;
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
    { redirectId, patienceMs }: { redirectId?: string; patienceMs?: number | undefined } = {},
  ): Promise<BankLoginResult> => {
    const row = session(sessionId);
    row.recordCall(call);
    const [behavior] =
      redirectId === undefined
        ? row.bank
        : [
            row.opening ??
              ((): BankLoginResult => ({ kind: 'away', redirectId, expiresInMs: row.redirectMs })),
          ];
    if (redirectId !== undefined) row.opening = null;
    if (behavior === undefined) throw new Error('the bank has no script');
    if (redirectId === undefined && row.bank.length > 1) row.bank.shift();
    return withHeartbeats(async (signal) => {
      try {
        const result = await withinPatience(patienceMs, signal, async (limited) =>
          behavior(limited, answer),
        );
        if (result.kind === 'away')
          row.attempts.set(result.redirectId, Date.now() + result.expiresInMs);
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
      openBankLogin: ({ sessionId, attemptKey, patienceMs }) =>
        atTheBank(sessionId, `openBankLogin ${attemptKey}`, null, { patienceMs }),
      startBankRedirect: ({ sessionId, redirectId, patienceMs }) =>
        atTheBank(sessionId, `startBankRedirect ${redirectId}`, null, { redirectId, patienceMs }),
      completeBankRedirect: ({ sessionId, redirectId }) =>
        atTheBank(sessionId, `completeBankRedirect ${redirectId}`, null),
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

const patienceOf = ({ patienceMs }: FakeSession): { patienceMs?: number } =>
  patienceMs === null ? {} : { patienceMs };

export function kindOf(step: string | undefined): StepKind | null {
  if (step === undefined) return null;
  return (step.startsWith('connect_error.') ? 'error' : (step.split(' ')[0] ?? step)) as StepKind;
}
