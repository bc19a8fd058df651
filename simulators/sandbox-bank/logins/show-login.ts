import { readFileSync } from 'node:fs';
import type { Login } from './login-store.js';
import {
  answerBy,
  DEVICES,
  QUESTIONS,
  resendAfterSeconds,
  type LoginProgress,
} from './login-progress.js';

/** Shows 7A3F, slanted and speckled. */
const PICTURE = readFileSync(new URL('./secret-picture.png', import.meta.url), 'base64');

/** The bank's own text beside a step. */
const MESSAGES: Partial<Record<LoginProgress['stage'], string>> = {
  QUESTIONS: 'Two questions, to be sure that it is you.',
  APPROVAL: 'Open our app on your phone and approve the request there.',
};

/** An open or refused login in the bank's API. */
export function showLogin(
  { loginId, progress }: Pick<Login, 'loginId' | 'progress'>,
  delays: { delayFactor: number },
): Readonly<Record<string, unknown>> {
  if (progress.stage === 'REFUSED')
    return { login_id: loginId, status: 'REFUSED', reason: progress.refusal };
  return {
    login_id: loginId,
    status: 'OPEN',
    step: progress.step,
    ask: asked(progress, delays),
    message: MESSAGES[progress.stage] ?? null,
    problem: progress.problem,
    tries_left: progress.triesLeft,
    answer_by: answerBy(progress)?.toISOString() ?? null,
  };
}

function asked(
  { stage, channel }: LoginProgress,
  delays: { delayFactor: number },
): Readonly<Record<string, unknown>> {
  switch (stage) {
    case 'DEVICE':
      return {
        kind: stage,
        devices: DEVICES.map(({ id, channel, target }) => ({ id, channel, target })),
      };
    case 'CODE': {
      const target = DEVICES.find((device) => device.channel === channel)?.target ?? null;
      return {
        kind: stage,
        channel,
        target,
        digits: 6,
        resend_after_seconds: resendAfterSeconds(delays),
      };
    }
    case 'QUESTIONS':
      return { kind: stage, questions: QUESTIONS.map(({ id, text }) => ({ id, text })) };
    case 'PICTURE':
      return {
        kind: stage,
        prompt: 'Characters in the picture',
        png: PICTURE,
        // For people who cannot see it.
        description:
          'Four characters: the digit seven, the letter A, the digit three, the letter F.',
      };
    case 'PASSWORD':
    case 'APPROVAL':
    case 'ACCEPTED':
    case 'REFUSED':
      return { kind: stage };
  }
}
