import {
  afterAnswer,
  afterWaiting,
  answerBy,
  FIRST_STEP,
  type LoginAnswer,
  type LoginCircumstances,
  type LoginProgress,
} from '../../../simulators/sandbox-bank/logins/login-progress.js';
import {
  findMagicUser,
  MAGIC_USERS,
} from '../../../simulators/sandbox-bank/customers/magic-users.js';

const START = new Date('2026-03-02T10:00:00Z');
const at = (seconds: number, isRelink = false): LoginCircumstances => ({
  isRelink,
  now: new Date(START.getTime() + seconds * 1_000),
  delayFactor: 1,
});

function answered(login: LoginProgress, answer: LoginAnswer, circumstances = at(0)): LoginProgress {
  const next = afterAnswer(login, answer, circumstances);
  if (next === null) throw new Error(`${login.stage} does not take ${answer.kind}`);
  return next;
}

const password = (userName: string, word = 'pass_good'): LoginAnswer => ({
  kind: 'PASSWORD',
  userName,
  password: word,
});
const code = (text: string): LoginAnswer => ({ kind: 'CODE', code: text });
const signIn = (userName: string, circumstances = at(0)) =>
  answered(FIRST_STEP, password(userName), circumstances);

describe('A login at Credentials Bank', () => {
  it.each([
    ['user_good', 'ACCEPTED', null],
    ['mfa_sms', 'CODE', null],
    ['mfa_email', 'CODE', null],
    ['mfa_choice', 'DEVICE', null],
    ['mfa_questions', 'QUESTIONS', null],
    ['mfa_image', 'PICTURE', null],
    ['mfa_push', 'APPROVAL', null],
    ['locked', 'REFUSED', 'ACCOUNT_LOCKED'],
    ['no_accounts', 'ACCEPTED', null],
    ['error_system_error', 'REFUSED', 'SYSTEM_FAULT'],
    ['error_provider_error', 'REFUSED', 'PARTNER_DOWN'],
    ['error_institution_error', 'REFUSED', 'BANK_DOWN'],
    ['error_user_error', 'REFUSED', 'CUSTOMER_MUST_ACT'],
    ['error_incomplete', 'REFUSED', 'STEP_OUTSIDE'],
    ['error_auth_expired', 'ACCEPTED', null],
    ['auth_expires', 'ACCEPTED', null],
    ['auth_expires_365', 'ACCEPTED', null],
    ['user_custom', 'ACCEPTED', null],
    ['user_dynamic', 'ACCEPTED', null],
    ['slow_1', 'ACCEPTED', null],
    ['slow_60', 'ACCEPTED', null],
  ])('of %s continues with %s after the password', (userName, stage, refusal) => {
    expect(signIn(userName)).toMatchObject({ stage, refusal, step: 2, userName });
  });

  it('is defined for every magic user', () => {
    expect(Object.keys(MAGIC_USERS)).toHaveLength(22);
  });

  it.each([
    'slow_0',
    'slow_61',
    'slow_07',
    'slow_1x',
    'slow_',
    'auth_expires_0',
    'auth_expires_366',
    'constructor',
    '__proto__',
    '',
    'User_Good',
    'user_good ',
  ])('refuses the unknown user %j', (name) => {
    expect(findMagicUser(name)).toBeNull();
    expect(signIn(name)).toMatchObject({
      stage: 'PASSWORD',
      problem: 'WRONG_PASSWORD',
      triesLeft: 2,
      userName: null,
    });
  });

  it.each(['user_transactions_dynamic', 'user_ewa_user', 'user_yuppie', 'user_small_business'])(
    'accepts any password of %s that is not blank',
    (name) => {
      expect(answered(FIRST_STEP, password(name, 'anything'))).toMatchObject({ stage: 'ACCEPTED' });
      expect(answered(FIRST_STEP, password(name, '  '))).toMatchObject({
        stage: 'PASSWORD',
        problem: 'WRONG_PASSWORD',
      });
    },
  );

  it('ends after three wrong passwords, whichever users they were for', () => {
    const once = answered(FIRST_STEP, password('user_good', 'wrong'));
    const twice = answered(once, password('no_one'));
    expect({ onceLeft: once.triesLeft, twiceLeft: twice.triesLeft }).toEqual({
      onceLeft: 2,
      twiceLeft: 1,
    });
    expect(answered(twice, password('mfa_sms', 'PASS_GOOD'))).toMatchObject({
      stage: 'REFUSED',
      refusal: 'WRONG_PASSWORD',
      triesLeft: 0,
    });
    expect(answered(twice, password('user_good'))).toMatchObject({
      stage: 'ACCEPTED',
      problem: null,
    });
  });

  it.each([
    ['mfa_sms', 'SMS'],
    ['mfa_email', 'EMAIL'],
  ])('sends %s a code by %s and ends after three wrong ones', (userName, channel) => {
    const asked = signIn(userName);
    expect(asked).toMatchObject({ stage: 'CODE', channel, triesLeft: 3 });
    const twice = answered(answered(asked, code('000000')), code('12345'));
    expect(twice).toMatchObject({ stage: 'CODE', problem: 'WRONG_CODE', triesLeft: 1 });
    expect(answered(twice, code('654321'))).toMatchObject({
      stage: 'REFUSED',
      refusal: 'FACTOR_FAILED',
    });
    expect(answered(twice, code('123456'))).toMatchObject({ stage: 'ACCEPTED' });
  });

  it('counts the attempts of each factor separately', () => {
    const afterWrongPassword = answered(FIRST_STEP, password('mfa_sms', 'wrong'));
    expect(answered(afterWrongPassword, password('mfa_sms'))).toMatchObject({
      stage: 'CODE',
      triesLeft: 3,
    });
  });

  it('sends another code after 20 seconds and not before, without losing an attempt', () => {
    const asked = answered(signIn('mfa_sms'), code('000000'), at(1));
    const early = answered(asked, { kind: 'RESEND' }, at(19));
    expect(early).toEqual({ ...asked, step: asked.step + 1, problem: 'TOO_EARLY' });
    const sent = answered(early, { kind: 'RESEND' }, at(20));
    expect(sent).toMatchObject({ problem: null, triesLeft: 2, askedAt: at(20).now });
    expect(answered(sent, { kind: 'RESEND' }, at(39))).toMatchObject({ problem: 'TOO_EARLY' });
  });

  it('accepts a code for ten minutes', () => {
    const asked = signIn('mfa_sms');
    expect(answerBy(asked)).toEqual(at(600).now);
    expect(answered(asked, code('123456'), at(600))).toMatchObject({ stage: 'ACCEPTED' });
    expect(answered(asked, code('123456'), at(601))).toMatchObject({
      stage: 'REFUSED',
      refusal: 'LOGIN_EXPIRED',
    });
  });

  it.each([
    ['sms', 'SMS'],
    ['email', 'EMAIL'],
    ['phone', 'PHONE'],
  ])('sends the code to the chosen device: %s', (device, channel) => {
    expect(answered(signIn('mfa_choice'), { kind: 'DEVICE', device })).toMatchObject({
      stage: 'CODE',
      channel,
    });
  });

  it('refuses a device that it did not offer and an answer to another question', () => {
    expect(
      afterAnswer(signIn('mfa_choice'), { kind: 'DEVICE', device: 'pigeon' }, at(0)),
    ).toBeNull();
    expect(afterAnswer(signIn('mfa_choice'), code('123456'), at(0))).toBeNull();
    expect(afterAnswer(FIRST_STEP, { kind: 'RESEND' }, at(0))).toBeNull();
    expect(afterAnswer(signIn('user_good'), password('user_good'), at(0))).toBeNull();
  });

  it('presents two security questions', () => {
    const asked = signIn('mfa_questions');
    expect(
      answered(asked, { kind: 'QUESTIONS', answers: { colour: ' Blue', pet: 'REX' } }),
    ).toMatchObject({ stage: 'ACCEPTED' });
    expect(answered(asked, { kind: 'QUESTIONS', answers: { colour: 'blue' } })).toMatchObject({
      stage: 'QUESTIONS',
      problem: 'WRONG_ANSWERS',
      triesLeft: 2,
    });
  });

  it('shows a security image', () => {
    const asked = signIn('mfa_image');
    expect(answered(asked, { kind: 'PICTURE', text: '7a3f' })).toMatchObject({ stage: 'ACCEPTED' });
    const wrong = answered(answered(asked, { kind: 'PICTURE', text: '7A3E' }), {
      kind: 'PICTURE',
      text: '',
    });
    expect(answered(wrong, { kind: 'PICTURE', text: 'x' })).toMatchObject({
      stage: 'REFUSED',
      refusal: 'FACTOR_FAILED',
    });
  });

  it('is approved in the app after five seconds without any action', () => {
    const asked = signIn('mfa_push');
    expect(afterWaiting(asked, at(4.9))).toBe(asked);
    expect(afterWaiting(asked, at(5))).toMatchObject({ stage: 'ACCEPTED' });
    expect(afterWaiting(asked, { ...at(0.5), delayFactor: 0.1 })).toMatchObject({
      stage: 'ACCEPTED',
    });
    expect(afterWaiting(asked, at(601))).toMatchObject({
      stage: 'REFUSED',
      refusal: 'LOGIN_EXPIRED',
    });
    expect(afterWaiting(FIRST_STEP, at(99))).toBe(FIRST_STEP);
  });

  it('of error_incomplete succeeds when a link is repaired, and that of locked does not', () => {
    expect(signIn('error_incomplete', at(0, true))).toMatchObject({ stage: 'ACCEPTED' });
    expect(signIn('locked', at(0, true))).toMatchObject({ stage: 'REFUSED' });
  });
});
