import { createLinkingActivities } from '../../../activities/linking/linking-activities.js';
import type { Step, StepContent } from '../../../domain/session/connect-step.js';
import { DuplicateInstitution } from '../../../domain/session/duplicate-institution.js';
import { makeExtensionOffer } from '../../../domain/session/extension-offer.js';
import type { LinkingQuestion } from '../../../domain/session/linking-questions.js';
import type { Product } from '../../../domain/link/products.js';
import { TrialLimitReached } from '../../../domain/link/trial-limit.js';
import type { LinkingAnswers } from '../../../prisma/linking/finish-linking.js';
import type { InstitutionRecord } from '../../../prisma/institutions/institution.repository.js';
import type { SessionRecord } from '../../../prisma/sessions/session-record.js';
import type { PreparedStep } from '../../../prisma/linking/prepared-step.js';

const NOW = new Date('2026-03-02T10:00:00Z');
const EXPIRES = new Date('2026-03-02T10:30:00Z');
const SHOWING = { sessionId: 'ses_1', seq: 4, accepted: true };
const PREPARED: PreparedStep = {
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

const CONSENT: StepContent = {
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
const ACCOUNTS: StepContent = {
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

const LINK = { state: 'connecting' as const, error: null };

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
const OPEN: OpenSession = {
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

describe('Linking activities', () => {
  let session: OpenSession | null;
  let prepared: PreparedStep | null;
  let steps: Step[];
  let accepted: number;
  let granted: (readonly Product[] | undefined)[];
  let questions: Record<LinkingQuestion, StepContent | null>;
  let finished: Partial<LinkingAnswers>[];
  let isHeld: boolean;
  let standing: { state: string; nextDeadline: Date | null };

  const activities = createLinkingActivities({
    sessions: {
      get: async () => session as SessionRecord | null,
      projectStep: async (_, shown) => {
        steps.push(shown.step);
        granted.push(shown.granted);
        return { expiresAt: EXPIRES };
      },
      acceptAnswer: async () => {
        accepted += 1;
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
        return { linkId: 'mk_1', provider: 'fake', remoteId: 'remote', institutionId, route };
      },
      noteFailure: async () => undefined,
    },
    bankLogins: { loginFacts: async () => null, preparedStep: async () => prepared },
    grants: {
      isHeld: async () => isHeld,
      resume: async (_, institutionId) =>
        isHeld ? { linkId: 'mk_1', provider: 'fake', remoteId: 'remote', institutionId } : null,
    },
    questions: {
      questions: async () => ['consent', 'select_accounts'],
      question: async (_, question) => questions[question],
      finishLinking: async (sessionId, { step }, answers = {}) => {
        if (sessionId === 'ses_full') throw new TrialLimitReached('live_x');
        if (sessionId === 'ses_slower') throw new DuplicateInstitution('bank');
        steps.push(step);
        finished.push(answers);
      },
    },
    attempts: {
      failLogin: async (_, __, { step }) => {
        steps.push(step);
      },
      exitAttempt: async (_, { step }) => {
        steps.push(step);
      },
    },
    times: {
      cancelSession: async () => undefined,
      expireIfDue: async () => ({ ...standing, link: LINK }),
    },
    extensions: {
      offer: async (_, institutionId) => institutionId === 'linked-there',
      extend: async (sessionId) =>
        sessionId === 'ses_alone'
          ? null
          : { linkId: 'mk_there', state: 'error', error: 'auth_expired' },
    },
    redirectAttempts: {
      expiryOf: async (_, way) => (way === 'way-1' ? new Date('2026-03-02T10:15:00Z') : null),
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

  beforeEach(() => {
    session = OPEN;
    isHeld = false;
    prepared = PREPARED;
    steps = [];
    granted = [];
    finished = [];
    questions = { consent: CONSENT, select_accounts: ACCOUNTS };
    accepted = 0;
    standing = { state: 'open', nextDeadline: EXPIRES };
  });

  it('return to the workflow the kind of a step and none of its content', async () => {
    session = { ...OPEN, step: { ...PREPARED.content, id: 'st_3' } as Step };
    const loaded = await activities.loadSession('ses_1');
    expect(loaded).toMatchObject({
      state: 'open',
      seq: 3,
      phase: 'answering',
      lastStep: 'otp',
      question: null,
      mayChooseAnother: true,
      login: null,
    });
    expect(JSON.stringify(loaded)).not.toMatch(/sms|code/);
    session = null;
    expect(await activities.loadSession('ses_1')).toBeNull();
  });

  it('return the time that a step may still take', async () => {
    session = {
      ...OPEN,
      step: { ...PREPARED.content, id: 'st_3', expires_at: '2026-03-02T10:05:00.000' } as Step,
    };
    expect(await activities.loadSession('ses_1')).toMatchObject({ stepExpiresInMs: 300_000 });
    session = {
      ...OPEN,
      step: { ...PREPARED.content, id: 'st_3', expires_at: '2026-03-02T09:00:00.000' } as Step,
    };
    expect(await activities.loadSession('ses_1')).toMatchObject({ stepExpiresInMs: 0 });
    session = OPEN;
    expect(await activities.loadSession('ses_1')).toMatchObject({ stepExpiresInMs: null });
  });

  it("offer the redirect to a bank's own pages instead of a login, and show the user as away while it is open", async () => {
    expect(
      await activities.beginLogin({ sessionId: 'ses_1', institutionId: 'oauth-bank', seq: 3 }),
    ).toEqual({ redirectTo: 'oauth-bank' });
    expect(
      await activities.beginRedirectLogin({
        sessionId: 'ses_1',
        institutionId: 'oauth-bank',
        seq: 4,
      }),
    ).toMatchObject({ linkId: 'mk_1', attemptKey: 'ses_1/4' });
    await activities.showStartedRedirect({ ...SHOWING, canGoBack: true, way: 'way-1' });
    await activities.showStartedRedirect({ ...SHOWING, canGoBack: false, way: 'way-2' });
    expect(steps).toMatchObject([
      { kind: 'redirect', started: true, can_go_back: true, expires_at: '2026-03-02T10:15:00.000' },
      { kind: 'redirect', started: false, can_go_back: false, expires_at: null },
    ]);
  });

  it('compute the time until the deadline by their own clock, plus a small margin', async () => {
    expect(await activities.expireIfDue('ses_1')).toEqual({
      state: 'open',
      lookAgainInMs: 1_800_025,
      link: LINK,
    });
    standing = { state: 'succeeded', nextDeadline: new Date('2026-03-02T09:00:00Z') };
    expect(await activities.expireIfDue('ses_1')).toEqual({
      state: 'succeeded',
      lookAgainInMs: 25,
      link: LINK,
    });
    standing = { state: 'ended', nextDeadline: null };
    expect(await activities.expireIfDue('ses_1')).toEqual({
      state: 'ended',
      lookAgainInMs: null,
      link: LINK,
    });
    standing = { state: 'created', nextDeadline: null };
    expect((await activities.expireIfDue('ses_1')).state).toBe('open');
  });

  it('show the prepared step as the bank sent it, or as interrupted', async () => {
    await activities.showPreparedStep({ ...SHOWING, canGoBack: true, interrupted: false });
    await activities.showPreparedStep({ ...SHOWING, canGoBack: false, interrupted: true });
    expect(steps).toMatchObject([
      {
        id: 'st_4',
        kind: 'otp',
        can_go_back: true,
        message: 'We sent a code.',
        error: { code: 'wrong_code' },
        attempts_left: 2,
        expires_at: '2026-03-02T10:05:00.000',
      },
      { kind: 'otp', can_go_back: false, error: { code: 'interrupted' } },
    ]);
  });

  it('show a problem when the prepared step is gone', async () => {
    prepared = null;
    await activities.showPreparedStep({ ...SHOWING, canGoBack: true, interrupted: false });
    expect(steps).toMatchObject([{ kind: 'error', error_id: 'connect_error.internal' }]);
  });

  it('offer another bank only where there is a choice', async () => {
    await activities.failLogin({ ...SHOWING, cause: 'account_locked' });
    session = { ...OPEN, presetInstitutionId: 'bank' };
    await activities.failLogin({ ...SHOWING, cause: 'account_locked' });
    expect(steps).toMatchObject([
      {
        error_id: 'connect_error.account_locked',
        actions: ['open_institution', 'choose_another', 'exit'],
        institution_url: 'https://bank.example',
      },
      { actions: ['open_institution', 'exit'] },
    ]);
  });

  it('restart the idle time of the session when an answer completed the login', async () => {
    await activities.failLogin({ ...SHOWING, cause: 'institution_down' });
    await activities.finishLinking(SHOWING);
    await activities.finishLinking({ ...SHOWING, accepted: false });
    expect(accepted).toBe(2);
  });

  it('show a question derived from the login, and store the grants of the previous answer', async () => {
    const shown = await activities.showQuestion({
      ...SHOWING,
      question: 'select_accounts',
      canGoBack: true,
      granted: ['transactions'],
    });
    await activities.showQuestion({ ...SHOWING, question: 'consent', canGoBack: false });
    expect(steps).toMatchObject([
      { ...ACCOUNTS, id: 'st_4', can_go_back: true },
      { ...CONSENT, can_go_back: false },
    ]);
    expect(granted).toEqual([['transactions'], undefined]);
    expect(JSON.stringify(shown)).not.toContain('canary');
    questions.consent = null;
    await activities.showQuestion({ ...SHOWING, question: 'consent', canGoBack: false });
    expect(steps.at(-1)).toMatchObject({ kind: 'error', error_id: 'connect_error.internal' });
  });

  it('finish with the answer to the last question', async () => {
    await activities.finishLinking({ ...SHOWING, refs: ['a1'] });
    await activities.finishLinking(SHOWING);
    expect(finished).toEqual([
      { granted: null, refs: ['a1'] },
      { granted: null, refs: null },
    ]);
  });

  it('show the limit of links where the last answer would exceed it', async () => {
    expect(await activities.finishLinking({ ...SHOWING, sessionId: 'ses_full' })).toMatchObject({
      state: 'open',
    });
    expect(steps).toMatchObject([
      { kind: 'error', error_id: 'connect_error.trial_limit_reached', actions: ['exit'] },
    ]);
    expect(accepted).toBe(1);
  });

  it('report a duplicate when a bank is chosen or when another session was faster', async () => {
    expect(
      await activities.beginLogin({ sessionId: 'ses_1', institutionId: 'linked-before', seq: 3 }),
    ).toEqual({ problem: 'connect_error.duplicate_institution' });
    expect(await activities.finishLinking({ ...SHOWING, sessionId: 'ses_slower' })).toMatchObject({
      state: 'open',
    });
    expect(steps).toMatchObject([
      {
        kind: 'error',
        error_id: 'connect_error.duplicate_institution',
        actions: ['choose_another', 'exit'],
      },
    ]);
  });

  it('ask before the login if the user has a link there, unless the user wants another one', async () => {
    const login = { sessionId: 'ses_1', institutionId: 'linked-there', seq: 3 };
    expect(await activities.beginLogin(login)).toEqual({ extensionAt: 'linked-there' });
    expect(await activities.beginLogin({ ...login, separateLink: true })).toMatchObject({
      linkId: 'mk_1',
    });
    expect(await activities.extendLink('ses_1')).toEqual({
      linkId: 'mk_there',
      state: 'error',
      error: 'auth_expired',
    });
    expect(await activities.extendLink('ses_alone')).toBeNull();
  });

  it('report whether the user is prompted to extend a link or has chosen to; another bank may still be chosen', async () => {
    const notExtended = { isExtension: false, lastStep: 'otp' };
    expect(await activities.loadSession('ses_1')).toMatchObject(notExtended);
    prepared = {
      ...PREPARED,
      content: makeExtensionOffer({ mayExtend: true, mayLinkSeparately: true }),
    };
    expect(await activities.loadSession('ses_1')).toMatchObject({
      isExtension: false,
      lastStep: 'extension',
      mayChooseAnother: true,
    });
    prepared = null;
    session = { ...OPEN, mode: 'relink' };
    expect(await activities.loadSession('ses_1')).toMatchObject({
      isExtension: true,
      lastStep: null,
      mayChooseAnother: true,
    });
    session = { ...OPEN, mode: 'relink', beganAs: 'relink' };
    const relink = await activities.loadSession('ses_1');
    expect(relink).toMatchObject({ mayChooseAnother: false, isExtension: false });
  });

  it('return the questions after the login only once the bank has accepted it', async () => {
    expect(await activities.loadSession('ses_1')).toMatchObject({ questions: [] });
    session = { ...OPEN, bankAccepted: true, phase: 'asking' };
    expect(await activities.loadSession('ses_1')).toMatchObject({
      questions: ['consent', 'select_accounts'],
    });
  });

  it('continue a retried login with the permission that it received, and no other login', async () => {
    const login = { sessionId: 'ses_1', institutionId: 'linked-there', seq: 3 };
    isHeld = true;
    expect(await activities.beginLogin({ ...login, isRetry: true })).toEqual({
      linkId: 'mk_1',
      provider: 'fake',
      institutionId: 'linked-there',
      attemptKey: 'ses_1/3',
      mayRepeat: true,
      isResumed: true,
    });
    expect(await activities.beginLogin(login)).toEqual({ extensionAt: 'linked-there' });
    isHeld = false;
    expect(await activities.beginLogin({ ...login, isRetry: true })).toEqual({
      extensionAt: 'linked-there',
    });
  });

  it('report a permission that is kept only until its accounts are listed', async () => {
    expect(await activities.loadSession('ses_1')).toMatchObject({ hasGrant: false });
    isHeld = true;
    expect(await activities.loadSession('ses_1')).toMatchObject({ hasGrant: true });
    session = { ...OPEN, bankAccepted: true };
    expect(await activities.loadSession('ses_1')).toMatchObject({ hasGrant: false });
  });

  it('create one key per attempt', async () => {
    expect(
      await activities.beginLogin({ sessionId: 'ses_1', institutionId: 'bank', seq: 3 }),
    ).toEqual({
      linkId: 'mk_1',
      provider: 'fake',
      institutionId: 'bank',
      attemptKey: 'ses_1/3',
      route: { reason: 'only_route', possible: 0, dropped: 0 },
      mayRepeat: true,
    });
  });

  it('return the reason when the client has reached its limit of links', async () => {
    expect(
      await activities.beginLogin({ sessionId: 'ses_1', institutionId: 'one-too-many', seq: 3 }),
    ).toEqual({ problem: 'connect_error.trial_limit_reached' });
  });
});
