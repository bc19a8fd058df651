import { findMagicUser, refusalOf, signIn } from '../customers/magic-users.js';
import type { Channel, Factor, Problem, RefusalReason } from '../customers/login-words.js';

/** The progress of a login at Credentials Bank. */
export interface LoginProgress {
  /** Grows with every accepted or refused answer; an answer names the step it is for. */
  step: number;
  stage: 'PASSWORD' | Factor['kind'] | 'ACCEPTED' | 'REFUSED';
  /** Set once the password was right. */
  userName: string | null;
  /** The number of completed factors. */
  factorsDone: number;
  channel: Channel | null;
  triesLeft: number;
  problem: Problem | null;
  refusal: RefusalReason | null;
  /** The time at which the code was sent or the approval requested. */
  askedAt: Date | null;
}

export type LoginAnswer =
  | { kind: 'PASSWORD'; userName: string; password: string }
  | { kind: 'DEVICE'; device: string }
  | { kind: 'CODE'; code: string }
  | { kind: 'RESEND' }
  | { kind: 'QUESTIONS'; answers: Readonly<Record<string, string>> }
  | { kind: 'PICTURE'; text: string };

/** The expected answers. */
export interface LoginCircumstances {
  isRelink: boolean;
  now: Date;
  /** All delays of the bank are multiplied by this; 1 for people. */
  delayFactor: number;
}

const TRIES = 3;
const RESEND_AFTER_SECONDS = 20;
const APPROVED_AFTER_SECONDS = 5;
/** Validity of a code or of a request in the bank's app. */
const ANSWER_WITHIN_MS = 10 * 60_000;

/** Source: link-lifecycle 13.3. */
const CODE = '123456';
const PICTURE_TEXT = '7A3F';
export const QUESTIONS: readonly { id: string; text: string; answer: string }[] = [
  { id: 'colour', text: 'What is your favorite color?', answer: 'blue' },
  { id: 'pet', text: 'What was the name of your first pet?', answer: 'rex' },
];
export const DEVICES: readonly { id: string; channel: Channel; target: string }[] = [
  { id: 'sms', channel: 'SMS', target: '••• ••42' },
  { id: 'email', channel: 'EMAIL', target: 'u•••@example.com' },
  { id: 'phone', channel: 'PHONE', target: '••• ••42' },
];

export const FIRST_STEP: LoginProgress = {
  step: 1,
  stage: 'PASSWORD',
  userName: null,
  factorsDone: 0,
  channel: null,
  triesLeft: TRIES,
  problem: null,
  refusal: null,
  askedAt: null,
};

/** Seconds before another code can be requested. */
export function resendAfterSeconds({
  delayFactor,
}: Pick<LoginCircumstances, 'delayFactor'>): number {
  return Math.ceil(RESEND_AFTER_SECONDS * delayFactor);
}

/** Deadline of an answer to the step; null = the end of the login. */
export function answerBy({ stage, askedAt }: LoginProgress): Date | null {
  const ages = stage === 'CODE' || stage === 'APPROVAL';
  return ages && askedAt !== null ? new Date(askedAt.getTime() + ANSWER_WITHIN_MS) : null;
}

/** The login after an answer; null when the step expects another kind of answer. */
export function afterAnswer(
  login: LoginProgress,
  answer: LoginAnswer,
  circumstances: LoginCircumstances,
): LoginProgress | null {
  if (isTooLate(login, circumstances)) return refused(login, 'LOGIN_EXPIRED');
  if (answer.kind === 'RESEND')
    return login.stage === 'CODE' ? afterResend(login, circumstances) : null;
  if (answer.kind !== login.stage) return null;
  switch (answer.kind) {
    case 'PASSWORD':
      return afterPassword(login, answer, circumstances);
    case 'DEVICE': {
      const device = DEVICES.find(({ id }) => id === answer.device);
      return device === undefined
        ? null
        : afterFactor({ ...login, channel: device.channel }, circumstances);
    }
    case 'CODE':
      return answer.code === CODE
        ? afterFactor(login, circumstances)
        : afterWrongAnswer(login, 'WRONG_CODE', 'FACTOR_FAILED');
    case 'QUESTIONS': {
      const right = QUESTIONS.every((question) =>
        isSameText(answer.answers[question.id] ?? '', question.answer),
      );
      return right
        ? afterFactor(login, circumstances)
        : afterWrongAnswer(login, 'WRONG_ANSWERS', 'FACTOR_FAILED');
    }
    case 'PICTURE':
      return isSameText(answer.text, PICTURE_TEXT)
        ? afterFactor(login, circumstances)
        : afterWrongAnswer(login, 'WRONG_PICTURE_TEXT', 'FACTOR_FAILED');
  }
}

/** The login after time has passed: an approval in the bank's app needs no answer. */
export function afterWaiting(
  login: LoginProgress,
  circumstances: LoginCircumstances,
): LoginProgress {
  if (isTooLate(login, circumstances)) return refused(login, 'LOGIN_EXPIRED');
  if (login.stage !== 'APPROVAL' || login.askedAt === null) return login;
  const waitedMs = circumstances.now.getTime() - login.askedAt.getTime();
  return waitedMs < APPROVED_AFTER_SECONDS * circumstances.delayFactor * 1_000
    ? login
    : afterFactor(login, circumstances);
}

export function refused(login: LoginProgress, refusal: RefusalReason): LoginProgress {
  return { ...login, step: login.step + 1, stage: 'REFUSED', problem: null, refusal };
}

function afterPassword(
  login: LoginProgress,
  { userName, password }: { userName: string; password: string },
  circumstances: LoginCircumstances,
): LoginProgress {
  const user = signIn(userName, password);
  if (user === null) return afterWrongAnswer(login, 'WRONG_PASSWORD', 'WRONG_PASSWORD');
  const refusal = refusalOf(user, circumstances);
  return refusal === null
    ? nextFactor({ ...login, userName }, circumstances)
    : { ...refused(login, refusal), userName };
}

function afterFactor(login: LoginProgress, circumstances: LoginCircumstances): LoginProgress {
  return nextFactor({ ...login, factorsDone: login.factorsDone + 1 }, circumstances);
}

function nextFactor(login: LoginProgress, { now }: LoginCircumstances): LoginProgress {
  const factor = findMagicUser(login.userName ?? '')?.factors[login.factorsDone];
  const next: LoginProgress = { ...login, step: login.step + 1, triesLeft: TRIES, problem: null };
  if (factor === undefined) return { ...next, stage: 'ACCEPTED' };
  const channel = factor.kind === 'CODE' ? (login.channel ?? factor.channel) : login.channel;
  return { ...next, stage: factor.kind, channel, askedAt: now };
}

function afterWrongAnswer(
  login: LoginProgress,
  problem: Problem,
  refusal: RefusalReason,
): LoginProgress {
  const triesLeft = login.triesLeft - 1;
  return triesLeft > 0
    ? { ...login, step: login.step + 1, triesLeft, problem }
    : { ...refused(login, refusal), triesLeft: 0 };
}

/** connect 5, rule 11: an early resend changes only the error. */
function afterResend(login: LoginProgress, circumstances: LoginCircumstances): LoginProgress {
  const sentAt = login.askedAt?.getTime() ?? 0;
  const isEarly = circumstances.now.getTime() < sentAt + resendAfterSeconds(circumstances) * 1_000;
  const next = { ...login, step: login.step + 1 };
  return isEarly
    ? { ...next, problem: 'TOO_EARLY' }
    : { ...next, problem: null, askedAt: circumstances.now };
}

function isTooLate(login: LoginProgress, { now }: LoginCircumstances): boolean {
  const deadline = answerBy(login);
  return deadline !== null && now > deadline;
}

function isSameText(given: string, right: string): boolean {
  return given.trim().toLowerCase() === right.toLowerCase();
}
