import type { Step } from '../../../domain/session/connect-step.js';
import {
  activities,
  LINK,
  OPEN,
  PREPARED,
  resetLinking,
  SHOWING,
  stage,
} from './support/linking-stage.js';

resetLinking();

describe('Linking activities', () => {
  it('return to the workflow the kind of a step and none of its content', async () => {
    stage.session = { ...OPEN, step: { ...PREPARED.content, id: 'st_3' } as Step };
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
    stage.session = null;
    expect(await activities.loadSession('ses_1')).toBeNull();
  });

  it('return the time that a step may still take', async () => {
    stage.session = {
      ...OPEN,
      step: { ...PREPARED.content, id: 'st_3', expires_at: '2026-03-02T10:05:00.000' } as Step,
    };
    expect(await activities.loadSession('ses_1')).toMatchObject({ stepExpiresInMs: 300_000 });
    stage.session = {
      ...OPEN,
      step: { ...PREPARED.content, id: 'st_3', expires_at: '2026-03-02T09:00:00.000' } as Step,
    };
    expect(await activities.loadSession('ses_1')).toMatchObject({ stepExpiresInMs: 0 });
    stage.session = OPEN;
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
    await activities.showStartedRedirect({ ...SHOWING, canGoBack: true, redirectId: 'way-1' });
    await activities.showStartedRedirect({ ...SHOWING, canGoBack: false, redirectId: 'way-2' });
    expect(stage.steps).toMatchObject([
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
    stage.standing = { state: 'succeeded', nextDeadline: new Date('2026-03-02T09:00:00Z') };
    expect(await activities.expireIfDue('ses_1')).toEqual({
      state: 'succeeded',
      lookAgainInMs: 25,
      link: LINK,
    });
    stage.standing = { state: 'ended', nextDeadline: null };
    expect(await activities.expireIfDue('ses_1')).toEqual({
      state: 'ended',
      lookAgainInMs: null,
      link: LINK,
    });
    stage.standing = { state: 'created', nextDeadline: null };
    expect((await activities.expireIfDue('ses_1')).state).toBe('open');
  });

  it('show the prepared step as the bank sent it, or as interrupted', async () => {
    await activities.showPreparedStep({ ...SHOWING, canGoBack: true, interrupted: false });
    await activities.showPreparedStep({ ...SHOWING, canGoBack: false, interrupted: true });
    expect(stage.steps).toMatchObject([
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
    stage.prepared = null;
    await activities.showPreparedStep({ ...SHOWING, canGoBack: true, interrupted: false });
    expect(stage.steps).toMatchObject([{ kind: 'error', error_id: 'connect_error.internal' }]);
  });

  it('offer another bank only where there is a choice', async () => {
    await activities.failLogin({ ...SHOWING, cause: 'account_locked' });
    stage.session = { ...OPEN, presetInstitutionId: 'bank' };
    await activities.failLogin({ ...SHOWING, cause: 'account_locked' });
    expect(stage.steps).toMatchObject([
      {
        error_id: 'connect_error.account_locked',
        actions: ['open_institution', 'retry', 'choose_another', 'exit'],
        institution_url: 'https://bank.example',
      },
      { actions: ['open_institution', 'retry', 'exit'] },
    ]);
  });

  it('restart the idle time of the session when an answer completed the login', async () => {
    await activities.failLogin({ ...SHOWING, cause: 'institution_down' });
    await activities.finishLinking(SHOWING);
    await activities.finishLinking({ ...SHOWING, accepted: false });
    expect(stage.accepted).toBe(2);
  });

  it('continue a retried login with the permission that it received, and no other login', async () => {
    const login = { sessionId: 'ses_1', institutionId: 'linked-there', seq: 3 };
    stage.isHeld = true;
    expect(await activities.beginLogin({ ...login, isRetry: true })).toEqual({
      linkId: 'mk_1',
      provider: 'fake',
      institutionId: 'linked-there',
      attemptKey: 'ses_1/3',
      mayRepeat: true,
      isResumed: true,
    });
    expect(await activities.beginLogin(login)).toEqual({ extensionAt: 'linked-there' });
    stage.isHeld = false;
    expect(await activities.beginLogin({ ...login, isRetry: true })).toEqual({
      extensionAt: 'linked-there',
    });
  });

  it('report a permission that is kept only until its accounts are listed', async () => {
    expect(await activities.loadSession('ses_1')).toMatchObject({ hasGrant: false });
    stage.isHeld = true;
    expect(await activities.loadSession('ses_1')).toMatchObject({ hasGrant: true });
    stage.session = { ...OPEN, bankAccepted: true };
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
