import { makeStep, type Step, type StepKind } from '../../../../domain/session/connect-step.js';
import { makeExtensionOffer } from '../../../../domain/session/extension-offer.js';
import {
  phaseShowing,
  type RowPhase,
  type SessionFacts,
} from '../../../../domain/session/session-phase.js';
import { resume, type SessionRow } from '../../../../domain/session/session-resumption.js';
import { ANY_BANK, LOGIN, ONE_BANK, RELINK } from './session-samples.js';

const ROW: SessionRow = {
  phase: 'unopened',
  institutionId: 'bank',
  login: LOGIN,
  isExtension: false,
  lastStep: null,
  question: null,
  questions: [],
  hasGrant: false,
};
const QUESTIONS = ['consent', 'select_accounts'] as const;

function next(row: Partial<SessionRow>, facts: SessionFacts = ANY_BANK): string {
  const { phase, effect } = resume({ ...ROW, ...row }, facts);
  const isInterrupted = 'interrupted' in effect && effect.interrupted;
  return `${phase.name}: ${effect.name}${isInterrupted ? ' !interrupted' : ''}`;
}

describe('A session whose history is lost', () => {
  it.each<[RowPhase, Partial<SessionRow>, string]>([
    ['unopened', {}, 'unopened: wait'],
    ['choosingBank', {}, 'choosingBank: wait'],
    ['offeringExtension', { login: null, lastStep: 'extension' }, 'offeringExtension: wait'],
    ['offeringRedirect', { login: null, lastStep: 'redirect' }, 'offeringRedirect: wait'],
    ['answering', { lastStep: 'otp' }, 'answering: wait'],
    ['answering', { login: null }, 'choosingBank: showBankChoice !interrupted'],
    ['waitingAtBank', { lastStep: 'wait' }, 'waitingAtBank: callBank'],
    ['waitingAtBank', { lastStep: 'otp' }, 'answering: showBankStep !interrupted'],
    ['awayAtBank', { lastStep: 'redirect' }, 'awayAtBank: wait'],
    ['awayAtBank', { login: null, lastStep: 'redirect' }, 'offeringRedirect: wait'],
    ['asking', { questions: QUESTIONS, question: 'consent' }, 'asking: wait'],
    ['asking', { questions: QUESTIONS }, 'asking: showQuestion'],
    ['asking', {}, 'finishing: finish'],
    ['showingProblem', {}, 'showingProblem: wait'],
    ['succeeded', {}, 'succeeded: wait'],
    ['over', {}, 'over: wait'],
    ['callingBank', {}, 'choosingBank: showBankChoice !interrupted'],
    ['callingBank', { lastStep: 'form' }, 'answering: showBankStep !interrupted'],
    ['callingBank', { lastStep: 'redirect' }, 'offeringRedirect: showBankStep !interrupted'],
    [
      'callingBank',
      { login: null, lastStep: 'extension' },
      'offeringExtension: showExtensionOffer !interrupted',
    ],
  ])('continues from its row: %s %j', (phase, row, expected) => {
    expect(next({ ...row, phase })).toBe(expected);
  });

  it.each(['callingBank', 'waitingAtBank'] as const)(
    'continues in %s with the permission that the login received',
    (phase) => {
      expect(resume({ ...ROW, phase, hasGrant: true }, ANY_BANK).effect).toMatchObject({
        name: 'beginLogin',
        isRetry: true,
      });
    },
  );

  it('waits to be opened again when it is for one bank and nothing of the login remains', () => {
    expect(next({ phase: 'callingBank', institutionId: null, login: null }, ONE_BANK)).toBe(
      'unopened: wait',
    );
    expect(next({ phase: 'callingBank', lastStep: 'form' }, ONE_BANK)).toBe(
      'answering: showBankStep !interrupted',
    );
  });

  it.each([
    [{}, ANY_BANK, 'exchange'],
    [{ isExtension: true }, ANY_BANK, 'nothing'],
    [{}, RELINK, 'nothing'],
  ] as const)(
    'awaits an exchange after success only when it is for a new link',
    (row, facts, awaits) => {
      const { phase } = resume({ ...ROW, ...row, phase: 'succeeded' }, facts);
      expect(phase).toMatchObject({ name: 'succeeded', awaits });
    },
  );

  it('continues as a relink when its user extended a link', () => {
    const { phase } = resume(
      { ...ROW, phase: 'answering', lastStep: 'form', isExtension: true },
      ANY_BANK,
    );
    expect(phase).toMatchObject({ attempt: { extension: 'extends' } });
  });
});

describe('The phase of a row', () => {
  const offer = makeExtensionOffer({ mayExtend: true, mayLinkSeparately: true });
  const step = (content: { kind: StepKind } & Record<string, unknown>): Step =>
    // Only the kind and the fields that distinguish steps of one kind.
    makeStep(1, content as never);

  it.each<[Step, RowPhase]>([
    [step({ kind: 'select_institution' }), 'choosingBank'],
    [step({ kind: 'redirect', started: false }), 'offeringRedirect'],
    [step({ kind: 'redirect', started: true }), 'awayAtBank'],
    [step(offer), 'offeringExtension'],
    [step({ kind: 'choice', options: [{ id: 'sms' }] }), 'answering'],
    [step({ kind: 'form' }), 'answering'],
    [step({ kind: 'otp' }), 'answering'],
    [step({ kind: 'image' }), 'answering'],
    [step({ kind: 'consent' }), 'asking'],
    [step({ kind: 'select_accounts' }), 'asking'],
    [step({ kind: 'error' }), 'showingProblem'],
    [step({ kind: 'success' }), 'succeeded'],
  ])('follows from the step that it shows: %j', (shown, expected) => {
    expect(phaseShowing(shown, { before: 'callingBank', prepared: null })).toBe(expected);
  });

  it.each<[RowPhase, StepKind | null, RowPhase]>([
    ['answering', 'form', 'callingBank'],
    ['answering', 'wait', 'waitingAtBank'],
    ['answering', null, 'callingBank'],
    ['asking', null, 'asking'],
  ])('behind a wait, from %s with the last step %s, is %s', (before, prepared, expected) => {
    expect(phaseShowing(step({ kind: 'wait' }), { before, prepared })).toBe(expected);
  });
});
