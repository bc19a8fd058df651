import {
  failureOfOAuth,
  failureOfRefusal,
  REFUSAL_REASONS,
} from '../../../providers/sandbox/client/failure-table.js';
import { toAnswer } from '../../../providers/sandbox/login/login-steps.js';
import { RemoteObject } from '../../../providers/http/remote-object.js';
import { toOutcome } from '../../../providers/sandbox/login/step-login.js';

const HELP = 'https://bank.example/help';
const OPEN = {
  login_id: 'lgn_1',
  status: 'OPEN',
  step: 4,
  message: null,
  problem: null,
  tries_left: 3,
  answer_by: null,
};
const outcomeOf = (ask: object, more: object = {}) =>
  toOutcome(new RemoteObject({ ...OPEN, ask, ...more }, 'login'), HELP);

describe('A step of a login', () => {
  it('for a password is a form with a secret', () => {
    expect(outcomeOf({ kind: 'PASSWORD' })).toMatchObject({
      kind: 'step',
      attemptsLeft: 3,
      error: null,
      expiresAt: null,
      pollAfterMs: null,
      step: {
        kind: 'form',
        purpose: 'credentials',
        help_url: HELP,
        fields: [
          { name: 'username', secret: false, autocomplete: 'username' },
          { name: 'password', type: 'password', secret: true, autocomplete: 'current-password' },
        ],
      },
    });
  });

  it('for a device is a choice of one', () => {
    const devices = [
      { id: 'a', channel: 'SMS', target: '••• 42' },
      { id: 'b', channel: 'PHONE', target: null },
    ];
    expect(outcomeOf({ kind: 'DEVICE', devices })).toMatchObject({
      attemptsLeft: null,
      step: {
        kind: 'choice',
        purpose: 'otp_device',
        max: 1,
        options: [
          { id: 'a', label: 'Text message ••• 42', icon: 'sms' },
          { id: 'b', label: 'Phone call', icon: 'phone' },
        ],
      },
    });
  });

  it('for a code shows its recipient and its expiry', () => {
    const ask = {
      kind: 'CODE',
      channel: 'EMAIL',
      target: 'u•••',
      digits: 6,
      resend_after_seconds: 20,
    };
    expect(
      outcomeOf(ask, {
        answer_by: '2026-03-02T10:10:00.000Z',
        problem: 'WRONG_CODE',
        tries_left: 2,
      }),
    ).toMatchObject({
      attemptsLeft: 2,
      expiresAt: new Date('2026-03-02T10:10:00Z'),
      error: { code: 'invalid_code', text: expect.any(String) },
      step: {
        kind: 'otp',
        channel: 'email',
        target: 'u•••',
        length: 6,
        digits_only: true,
        resend_after_seconds: 20,
      },
    });
  });

  it('for questions is a form with one field per question, in the words of the bank', () => {
    const ask = { kind: 'QUESTIONS', questions: [{ id: 'pet', text: 'Pet?' }] };
    expect(outcomeOf(ask, { message: 'Two questions.' })).toMatchObject({
      message: 'Two questions.',
      step: {
        kind: 'form',
        purpose: 'questions',
        fields: [{ name: 'pet', label: 'Pet?', type: 'text', secret: true }],
      },
    });
  });

  it('for a picture contains it as a data URL', () => {
    expect(
      outcomeOf({ kind: 'PICTURE', prompt: 'Characters', png: 'iVBORw==', description: null }),
    ).toMatchObject({
      step: {
        kind: 'image',
        image: 'data:image/png;base64,iVBORw==',
        label: 'Characters',
        description: null,
      },
    });
  });

  it('for an approval is a wait that is polled', () => {
    expect(outcomeOf({ kind: 'APPROVAL' })).toMatchObject({
      pollAfterMs: 1_000,
      step: { kind: 'wait', stage: 'waiting_for_approval', can_cancel: true },
    });
  });

  it.each<[string, object]>([
    ['an unknown question', { kind: 'SMELL' }],
    [
      'a question about a channel of no_one',
      { kind: 'CODE', channel: 'PIGEON', target: null, digits: 6, resend_after_seconds: 1 },
    ],
    [
      'a picture that is markup',
      { kind: 'PICTURE', prompt: 'x', png: '"><script>', description: null },
    ],
    [
      'a picture without end',
      { kind: 'PICTURE', prompt: 'x', png: 'A'.repeat(300_000), description: null },
    ],
    [
      'half a digit',
      { kind: 'CODE', channel: 'SMS', target: null, digits: 0.5, resend_after_seconds: 1 },
    ],
  ])('is malformed with %s', (_, ask) => {
    expect(() => outcomeOf(ask)).toThrow(
      expect.objectContaining({ name: 'ProviderFailure', providerCause: 'malformed' }),
    );
  });

  it('is malformed with a problem that has no translation', () => {
    expect(() => outcomeOf({ kind: 'PASSWORD' }, { problem: 'constructor' })).toThrow(
      expect.objectContaining({ providerCause: 'malformed' }),
    );
  });
});

describe('An answer to a step', () => {
  it('is sent to the bank in its own terms', () => {
    expect(
      toAnswer('PASSWORD', { kind: 'form', values: { username: 'a', password: 'b' } }),
    ).toEqual({ kind: 'PASSWORD', user_name: 'a', password: 'b' });
    expect(toAnswer('QUESTIONS', { kind: 'form', values: { pet: 'rex' } })).toEqual({
      kind: 'QUESTIONS',
      answers: { pet: 'rex' },
    });
    expect(toAnswer('DEVICE', { kind: 'choice', option_ids: ['sms'] })).toEqual({
      kind: 'DEVICE',
      device: 'sms',
    });
    expect(toAnswer('CODE', { kind: 'otp', code: '1' })).toEqual({ kind: 'CODE', code: '1' });
    expect(toAnswer('CODE', { kind: 'otp', resend: true })).toEqual({ kind: 'RESEND' });
    expect(toAnswer('PICTURE', { kind: 'image', answer: '7' })).toEqual({
      kind: 'PICTURE',
      text: '7',
    });
  });

  it('of another kind is an internal error and is not quoted', () => {
    const answer = () => toAnswer('CODE', { kind: 'form', values: { password: 'canary' } });
    expect(answer).toThrow(
      expect.objectContaining({
        providerCause: 'internal',
        message: expect.not.stringContaining('canary'),
      }),
    );
  });
});

describe('The end of a login', () => {
  it('by a refusal has a cause', () => {
    const causes = Object.fromEntries(
      REFUSAL_REASONS.map((reason) => [reason, failureOfRefusal(reason).providerCause]),
    );
    expect(causes).toEqual({
      WRONG_PASSWORD: 'invalid_credentials',
      FACTOR_FAILED: 'mfa_failed',
      ACCOUNT_LOCKED: 'account_locked',
      CUSTOMER_MUST_ACT: 'user_action_required',
      STEP_OUTSIDE: 'incomplete',
      DENIED: 'user_denied',
      LOGIN_EXPIRED: 'institution_timeout',
      BANK_DOWN: 'institution_down',
      PARTNER_DOWN: 'provider_down',
      SYSTEM_FAULT: 'internal',
    });
  });

  it.each([
    ['access_denied', 'user_denied'],
    ['temporarily_unavailable', 'institution_down'],
    ['server_error', 'institution_down'],
    ['partner_unavailable', 'provider_down'],
    ['customer_action_required', 'user_action_required'],
    ['step_outside_required', 'incomplete'],
    ['system_fault', 'internal'],
    ['invalid_grant', 'institution_timeout'],
    ['constructor', 'internal'],
    ['<b>canary</b>', 'internal'],
  ])('with the OAuth error %s is %s', (error, cause) => {
    expect(failureOfOAuth(error)).toMatchObject({
      providerCause: cause,
      message: expect.not.stringContaining('canary'),
    });
  });
});
