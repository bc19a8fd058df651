import { makeStep, type StepContent } from '../../../../domain/session/connect-step.js';
import { exitError, exitStatus } from '../../../../domain/plaid/exit-report.js';
import { exitAt } from '../../../../domain/session/session-exit.js';

const AT = { at: new Date('2026-03-02T10:15:31Z'), institutionId: 'bank', searchedInVain: false };
const leaving = (content: StepContent, code?: string) =>
  exitAt(makeStep(3, content, code === undefined ? {} : { error: { code, text: 'canary' } }), AT);
const form = (purpose: 'credentials' | 'questions'): StepContent => ({
  kind: 'form',
  purpose,
  fields: [],
  help_url: null,
  reset_url: null,
});
const otp: StepContent = {
  kind: 'otp',
  channel: 'sms',
  target: '***12',
  length: 6,
  digits_only: true,
  resend_after_seconds: null,
};
const ended = (id: string): StepContent => ({
  kind: 'error',
  error_id: `connect_error.${id}`,
  displayed_message: 'canary',
  fault: 'user',
  link_error: null,
  actions: ['exit'],
  institution_url: null,
});

describe('The point at which a user left a session (plaid-compat 7, 10.2)', () => {
  it.each<[string | null, StepContent]>([
    [null, { kind: 'select_institution' }],
    ['requires_credentials', form('credentials')],
    ['requires_questions', form('questions')],
    ['requires_questions', { kind: 'image', image: '', label: '', description: null }],
    ['requires_code', otp],
    ['choose_device', { kind: 'choice', purpose: 'otp_device', options: [], max: 1 }],
    ['requires_oauth', { kind: 'redirect', started: true }],
    ['requires_account_selection', { kind: 'select_accounts', accounts: [], min: 1, max: null }],
    ['requires_selections', { kind: 'consent', products: [] }],
    [null, { kind: 'wait', stage: 'connecting', can_cancel: true }],
  ])('is reported as %s', (status, content) => {
    expect({
      status: exitStatus(leaving(content), 'credentials'),
      error: exitError(leaving(content)),
    }).toEqual({ status, error: null });
  });

  it.each([
    ['a wrong password', form('credentials'), 'invalid_credentials', 'INVALID_CREDENTIALS'],
    ['a wrong code', otp, 'invalid_code', 'INVALID_MFA'],
    ['a lost worker', form('credentials'), 'interrupted', null],
    ['an early resend', otp, 'resend_too_early', null],
  ])('is reported with %s', (_, content, code, error) => {
    expect(exitError(leaving(content, code))).toBe(error);
  });

  it.each([
    ['mfa_failed', 'INVALID_MFA', 'requires_code'],
    ['account_locked', 'ITEM_LOCKED', 'requires_credentials'],
    ['user_action_required', 'USER_SETUP_REQUIRED', 'requires_credentials'],
    ['oauth_denied', 'ACCESS_NOT_GRANTED', 'requires_oauth'],
    ['incomplete', 'INSUFFICIENT_CREDENTIALS', 'requires_credentials'],
    ['no_accounts', 'NO_ACCOUNTS', 'requires_credentials'],
    ['institution_down', 'INSTITUTION_DOWN', 'requires_credentials'],
    ['timeout', 'INSTITUTION_NOT_RESPONDING', 'requires_credentials'],
    ['provider_down', 'INSTITUTION_NOT_AVAILABLE', 'requires_credentials'],
    ['trial_limit_reached', 'CREDITS_EXHAUSTED', 'requires_credentials'],
    ['internal', 'INTERNAL_SERVER_ERROR', 'requires_credentials'],
  ])('is reported for %s as %s', (id, code, status) => {
    expect({
      error: exitError(leaving(ended(id))),
      status: exitStatus(leaving(ended(id)), 'credentials'),
    }).toEqual({ error: code, status });
  });

  it('includes the login of the bank where the attempt ended, and a search without a result', () => {
    expect(exitStatus(leaving(ended('institution_down')), 'oauth')).toBe('requires_oauth');
    expect(exitStatus(leaving(ended('institution_down')), 'none')).toBeNull();
    expect(exitStatus(exitAt(null, { ...AT, searchedInVain: true }), null)).toBe(
      'institution_not_found',
    );
  });

  it('is reported without any text of the bank or its user', () => {
    expect(
      JSON.stringify([leaving(ended('account_locked')), leaving(otp, 'invalid_code')]),
    ).not.toMatch(/canary|12/);
  });
});
