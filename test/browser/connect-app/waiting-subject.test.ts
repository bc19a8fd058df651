import {
  causeOfAnswer,
  subjectOf,
  type WaitingSubject,
} from '../../../apps/connect/src/flow/waiting-subject.js';
import type { StepContent, StepInput } from '../../../packages/connect-protocol/src/step.js';
import { ACCOUNTS, CONSENT, CREDENTIALS, makeStep, OTP } from './support/views.js';

const QUESTIONS = { ...CREDENTIALS, purpose: 'questions' } as StepContent;
const DEVICES: StepContent = { kind: 'choice', purpose: 'otp_device', options: [], max: 1 };
const OPTIONS: StepContent = { kind: 'choice', purpose: 'option', options: [], max: 1 };
const PICTURE: StepContent = { kind: 'image', image: '', label: '', description: null };
const PROBLEM = { kind: 'error' } as unknown as StepContent;

describe('The subject of a wait', () => {
  it.each<[string, StepContent, StepInput, WaitingSubject | null]>([
    [
      'a bank',
      { kind: 'select_institution' },
      { kind: 'select_institution', institution_id: 'x' },
      'to_connect',
    ],
    ['a sign-in', CREDENTIALS, { kind: 'form', values: {} }, 'sign_in'],
    ['answers', QUESTIONS, { kind: 'form', values: {} }, 'answer'],
    ['a device', DEVICES, { kind: 'choice', option_ids: [] }, 'new_code'],
    ['an option', OPTIONS, { kind: 'choice', option_ids: [] }, 'to_connect'],
    ['a code', OTP, { kind: 'otp', code: '1' }, 'code'],
    ['the wish for a code', OTP, { kind: 'otp', resend: true }, 'new_code'],
    ['the text of a picture', PICTURE, { kind: 'image', answer: 'x' }, 'answer'],
    ['accounts', ACCOUNTS, { kind: 'select_accounts', refs: [] }, 'choice'],
    ['permissions', CONSENT, { kind: 'consent', granted: [] }, 'choice'],
    ['a retry', PROBLEM, { kind: 'error', action: 'retry' }, 'to_connect'],
    ['the choice of another bank', PROBLEM, { kind: 'error', action: 'choose_another' }, null],
    ['a step back', OTP, { kind: 'back' }, null],
  ])('after %s was sent is what the bank or the service has to do', (_, step, input, subject) => {
    expect(subjectOf(causeOfAnswer(makeStep(1, step), input))).toBe(subject);
  });
});
