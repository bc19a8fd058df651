import { createLinkingActivities } from '../../../../activities/linking/linking-activities.js';
import type { Step, StepContent } from '../../../../domain/session/connect-step.js';
import { DuplicateInstitution } from '../../../../domain/session/duplicate-institution.js';
import type { LinkingQuestion } from '../../../../domain/session/linking-questions.js';
import type { Product } from '../../../../domain/link/products.js';
import { TrialLimitReached } from '../../../../domain/link/trial-limit.js';
import type { LinkingAnswers } from '../../../../prisma/work/linking/finish-linking.js';
import type { InstitutionRecord } from '../../../../prisma/sources/institutions/institution.repository.js';
import type { SessionRecord } from '../../../../prisma/links/sessions/session-record.js';
import type { PreparedStep } from '../../../../prisma/work/linking/prepared-step.js';

const NOW = new Date('2026-03-02T10:00:00Z');
const EXPIRES = new Date('2026-03-02T10:30:00Z');
export const SHOWING = { sessionId: 'ses_1', seq: 4, accepted: true };
export const PREPARED: PreparedStep = {
  content: {
    kind: 'otp',
    channel: 'sms',
    target: '••• ••42',
    length: 6,
    digits_only: true,
    resend_after_seconds: 20,
  },
  message: 'We sent a code.',
  error: { code: 'wrong_code', text: 'That was not it.' },
  attemptsLeft: 2,
  expiresAt: '2026-03-02T10:05:00.000Z',
};

export const CONSENT: StepContent = {
  kind: 'consent',
  products: [
    {
      product: 'transactions',
      reason: 'canary reason',
      required: true,
      granted: true,
      locked: true,
      already_granted: false,
    },
  ],
};
export const ACCOUNTS: StepContent = {
  kind: 'select_accounts',
  min: 1,
  max: null,
  accounts: [
    {
      ref: 'a1',
      name: 'canary account',
      account_type: 'depository.checking',
      account_mask: '1101',
      balance: 2350,
      currency: 'USD',
      selected: true,
      locked: false,
    },
  ],
};

export const LINK = { state: 'connecting' as const, error: null };

type OpenSession = Pick<
  SessionRecord,
  | 'state'
  | 'seq'
  | 'step'
  | 'mode'
  | 'beganAs'
  | 'presetInstitutionId'
  | 'institutionId'
  | 'bankAccepted'
  | 'phase'
>;
export const OPEN: OpenSession = {
  state: 'open',
  seq: 3,
  step: null,
  mode: 'link',
  beganAs: 'link',
  presetInstitutionId: null,
  institutionId: 'bank',
  bankAccepted: false,
  phase: 'answering',
};
interface Stage {
  session: OpenSession | null;
  prepared: PreparedStep | null;
  steps: Step[];
  accepted: number;
  granted: (readonly Product[] | undefined)[];
  questions: Record<LinkingQuestion, StepContent | null>;
  finished: Partial<LinkingAnswers>[];
  isHeld: boolean;
  standing: { state: string; nextDeadline: Date | null };
}
/** The database of the activities: a test sets its contents and reads what was stored. */
export const stage = {} as Stage;

export const activities = createLinkingActivities({
  sessions: {
    get: async () => stage.session as SessionRecord | null,
    projectStep: async (_, shown) => {
      stage.steps.push(shown.step);
      stage.granted.push(shown.granted);
      return { expiresAt: EXPIRES };
    },
    acceptAnswer: async () => {
      stage.accepted += 1;
      return { expiresAt: EXPIRES, stepsTaken: 1 };
    },
  },
  logins: {
    offerRedirect: async (_, institutionId) => {
      if (institutionId === 'linked-before') throw new DuplicateInstitution(institutionId);
      return institutionId === 'oauth-bank';
    },
    beginLogin: async (_, institutionId) => {
      if (institutionId === 'one-too-many') throw new TrialLimitReached('live_x');
      const route = { reason: 'only_route', possible: 0, dropped: 0 } as const;
      const login = { linkId: 'mk_1', provider: 'fake', remoteId: 'remote', institutionId, route };
      return { ...login, patienceMs: null };
    },
    noteFailure: async () => undefined,
  },
  bankLogins: { loginFacts: async () => null, preparedStep: async () => stage.prepared },
  grants: {
    isHeld: async () => stage.isHeld,
    resume: async (_, institutionId) =>
      stage.isHeld ? { linkId: 'mk_1', provider: 'fake', remoteId: 'remote', institutionId } : null,
  },
  questions: {
    questions: async () => ['consent', 'select_accounts'],
    question: async (_, question) => stage.questions[question],
    finishLinking: async (sessionId, { step }, answers = {}) => {
      if (sessionId === 'ses_full') throw new TrialLimitReached('live_x');
      if (sessionId === 'ses_slower') throw new DuplicateInstitution('bank');
      stage.steps.push(step);
      stage.finished.push(answers);
    },
  },
  attempts: {
    failLogin: async (_, __, { step }) => {
      stage.steps.push(step);
    },
    exitAttempt: async (_, { step }) => {
      stage.steps.push(step);
    },
  },
  times: {
    cancelSession: async () => undefined,
    expireIfDue: async () => ({ ...stage.standing, link: LINK }),
  },
  extensions: {
    offer: async (_, institutionId) => institutionId === 'linked-there',
    extend: async (sessionId) =>
      sessionId === 'ses_alone'
        ? null
        : { linkId: 'mk_there', state: 'error', error: 'auth_expired' },
  },
  redirectAttempts: {
    expiryOf: async (_, redirectId) =>
      redirectId === 'way-1' ? new Date('2026-03-02T10:15:00Z') : null,
  },
  institutions: { findAny: async () => ({ domain: 'bank.example' }) as InstitutionRecord },
  providers: {
    get: () =>
      ({ facts: { idempotentLogin: true } }) as ReturnType<
        Parameters<typeof createLinkingActivities>[0]['providers']['get']
      >,
  },
  now: () => NOW,
});

/** Gives each test an open session whose bank requires a step. */
export function resetLinking(): void {
  beforeEach(() => {
    stage.session = OPEN;
    stage.isHeld = false;
    stage.prepared = PREPARED;
    stage.steps = [];
    stage.granted = [];
    stage.finished = [];
    stage.questions = { consent: CONSENT, select_accounts: ACCOUNTS };
    stage.accepted = 0;
    stage.standing = { state: 'open', nextDeadline: EXPIRES };
  });
}
