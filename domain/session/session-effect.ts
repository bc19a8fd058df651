import type { ProviderCause } from '../errors/provider-failure.js';
import type { Product } from '../link/products.js';
import type { ConnectProblemId } from './connect-problem.js';
import type { LinkingQuestion } from './linking-questions.js';
import type {
  BankCall,
  BankStep,
  LoginAttempt,
  SessionPhase,
  StartedLogin,
} from './session-phase.js';

/** The user's answers to the questions after a login. */
export interface QuestionAnswer {
  granted?: Product[];
  /** Accounts, by their refs in the step. */
  refs?: string[] | 'all';
}

/** The action of a session on entering a phase. Each effect ends in one event. */
export type SessionEffect =
  /** The next event comes from the user, a deadline, or another part of the service. */
  | { name: 'wait' }
  // steps of Connect, which end in `shown`
  | { name: 'showBankChoice'; interrupted: boolean; forgetsExtension: boolean }
  | { name: 'showExtensionOffer'; canGoBack: boolean; interrupted: boolean }
  | {
      name: 'showBankStep';
      step: BankStep;
      canGoBack: boolean;
      interrupted: boolean;
      /** The time limit of the step; null = it has none of its own. */
      expiresInMs: number | null;
    }
  | { name: 'showAway'; redirectId: string; canGoBack: boolean; expiresInMs: number }
  | {
      name: 'showQuestion';
      question: LinkingQuestion;
      canGoBack: boolean;
      answers: QuestionAnswer;
    }
  | { name: 'showProblem'; problem: ConnectProblemId }
  /** `isRelink`: the link stays as it was. */
  | { name: 'failLogin'; cause: ProviderCause; isRelink: boolean }
  | { name: 'leaveAttempt'; isForOneBank: boolean; isRelink: boolean; forgetsExtension: boolean }
  // changes in the database, each with its own events
  | { name: 'beginLogin'; bank: string; separateLink: boolean; isRetry: boolean; isRelink: boolean }
  | { name: 'extendLink' }
  | { name: 'beginRedirect'; bank: string; isRelink: boolean }
  | { name: 'takeNextRoute'; login: StartedLogin; cause: ProviderCause; isRelink: boolean }
  | { name: 'finish'; answers: QuestionAnswer; isRelink: boolean }
  /** connect 4: the session has shown too many steps. */
  | { name: 'endSession' }
  /** Ends in an event of the bank, or in the event that interrupted the call. */
  | {
      name: 'callBank';
      attempt: LoginAttempt;
      call: BankCall;
      from: BankStep | null;
      /** connect 5, rule 10: the time that the bank has to respond. Missing = no limit. */
      patienceMs?: number;
    };

/** The result of an event: the next phase, and its effect. */
export interface Decision {
  phase: SessionPhase;
  effect: SessionEffect;
}
