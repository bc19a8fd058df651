import { poll, showAgain } from './bank-moves.js';
import type { LinkingQuestion } from './linking-questions.js';
import type { Decision } from './session-effect.js';
import {
  begin,
  chooseBank,
  chosen,
  continueLinked,
  MAX_ATTEMPTS,
  offerExtension,
  over,
  presetAttempt,
  REDIRECT,
  stay,
  succeeded,
} from './session-moves.js';
import type { Attempt, BankStep, RowPhase, SessionFacts, StartedLogin } from './session-phase.js';
import type { StepKind } from './connect-step.js';

/** The facts about the phase in the row of a session. */
export interface SessionRow {
  phase: RowPhase;
  /** The bank of the current attempt; null = none. */
  institutionId: string | null;
  login: StartedLogin | null;
  /** The user's choice turned the session into a relink. Source: link-lifecycle 2.5. */
  isExtension: boolean;
  /** The last step that the bank requested, or `extension` before the login; null = none. */
  lastStep: StepKind | 'extension' | null;
  /** The question that is shown; null = none. */
  question: LinkingQuestion | null;
  questions: readonly LinkingQuestion[];
  /** The login received a permission whose accounts are not listed yet. */
  hasGrant: boolean;
}

/** A history can be lost, the row cannot: continues from the step that the row shows. */
export function resume(row: SessionRow, facts: SessionFacts): Decision {
  const { phase } = row;
  const attempt = attemptOf(row, facts);
  switch (phase) {
    case 'unopened':
    case 'choosingBank':
      return stay({ name: phase });
    case 'over':
      return over('ended');
    case 'succeeded':
      return succeeded(attempt, facts);
    case 'showingProblem':
      return stay({ name: 'showingProblem', attempt, cause: null });
    default:
      return attempt === null
        ? chooseBank(null, facts, { interrupted: true })
        : resumeAttempt(phase, row, attempt, facts);
  }
}

function attemptOf({ institutionId, login, isExtension }: SessionRow, facts: SessionFacts) {
  const attempt = institutionId === null ? presetAttempt(facts) : chosen(institutionId);
  if (attempt === null) return null;
  return { ...attempt, login, extension: isExtension ? 'extends' : 'undecided' } as const;
}

/** Resumes the phases that have an attempt. */
function resumeAttempt(
  phase: Exclude<RowPhase, 'unopened' | 'choosingBank' | 'over' | 'succeeded' | 'showingProblem'>,
  row: SessionRow,
  attempt: Attempt,
  facts: SessionFacts,
): Decision {
  const { login } = attempt;
  const { question, questions, hasGrant } = row;
  const step = bankStepOf(row);
  switch (phase) {
    case 'offeringExtension':
      return stay({ name: 'offeringExtension', attempt });
    case 'offeringRedirect':
      return stay({ name: 'offeringRedirect', attempt, step: step ?? REDIRECT });
    case 'awayAtBank':
      return login === null
        ? stay({ name: 'offeringRedirect', attempt, step: step ?? REDIRECT })
        : stay({ name: 'awayAtBank', attempt: { ...attempt, login }, step: step ?? REDIRECT });
    case 'answering':
      return login === null || step === null
        ? showAgain(attempt, step, facts, { interrupted: true })
        : stay({ name: 'answering', attempt: { ...attempt, login }, step });
    case 'asking':
      return question !== null && questions.includes(question)
        ? stay({ name: 'asking', attempt, question, questions })
        : continueLinked(attempt, questions, facts);
    case 'waitingAtBank':
    case 'callingBank':
      // A permission that a token or code opened is kept, since it may work only once.
      if (hasGrant) return begin(attempt, facts, { isRetry: true });
      if (phase === 'waitingAtBank' && login !== null && step?.kind === 'wait')
        return poll({ ...attempt, login }, step);
      if (row.lastStep === 'extension')
        return offerExtension(attempt, facts, { interrupted: true });
      // The next opening starts over, because the login must not run while no one watches.
      if (facts.presetInstitutionId !== null && step === null) return stay({ name: 'unopened' });
      // connect 5, rule 12: nothing is in progress behind the `wait` that the user sees.
      return showAgain(attempt, step, facts, { interrupted: true });
  }
}

function bankStepOf({ lastStep }: SessionRow): BankStep | null {
  if (lastStep === null || lastStep === 'extension') return null;
  return { kind: lastStep, isFirst: lastStep === 'redirect', attemptsLeft: MAX_ATTEMPTS };
}
