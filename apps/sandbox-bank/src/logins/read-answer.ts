import { BankError } from '../http/bank-error.js';
import { readText } from '../http/read-text.js';
import type { LoginAnswer } from './login-progress.js';

const MOST_CHARACTERS = 200;
const MOST_ANSWERS = 10;

/** Parses an answer of the customer. Throws `invalid_request`, which never quotes it. */
export function readAnswer(body: Readonly<Record<string, unknown>>): LoginAnswer {
  const text = (name: string): string => readText(body, name, MOST_CHARACTERS);
  switch (body['kind']) {
    case 'PASSWORD':
      return { kind: 'PASSWORD', userName: text('user_name'), password: text('password') };
    case 'DEVICE':
      return { kind: 'DEVICE', device: text('device') };
    case 'CODE':
      return { kind: 'CODE', code: text('code') };
    case 'RESEND':
      return { kind: 'RESEND' };
    case 'QUESTIONS':
      return { kind: 'QUESTIONS', answers: readAnswers(body['answers']) };
    case 'PICTURE':
      return { kind: 'PICTURE', text: text('text') };
    default:
      throw new BankError('invalid_request', 'kind must be a kind of answer.');
  }
}

function readAnswers(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BankError('invalid_request', 'answers must be an object.');
  const answers = value as Record<string, unknown>;
  const names = Object.keys(answers);
  if (names.length > MOST_ANSWERS)
    throw new BankError('invalid_request', 'There are too many answers.');
  return Object.fromEntries(names.map((name) => [name, readText(answers, name, MOST_CHARACTERS)]));
}
