import { failureOf } from '../../../activities/failures.js';
import type {
  Deadline,
  QuestionAnswer,
  StartedLogin,
} from '../../../activities/linking/session-state.js';
import type { BankAnswer } from '../../../activities/linking/login-activities.js';
import type { BankLoginResult } from '../../../activities/linking/bank-login-result.js';
import type { LinkingQuestion } from '../../../domain/session/linking-questions.js';
import type { StepKind } from '../../../domain/session/connect-step.js';
import type { RowPhase } from '../../../domain/session/session-phase.js';
import { kindOf } from './fake-session-activities.js';

export const FAKE_PROVIDER = 'fake';

/** The responses of the bank: each call uses the next entry, and the last one repeatedly. */
export type BankBehavior = (
  signal: AbortSignal,
  answer: BankAnswer['answer'] | null,
) => BankLoginResult | Promise<BankLoginResult>;

export interface ShownInRow {
  seq: number;
  /**
   * The kind; for an error step its id; and after `!` the reason why the last answer was rejected.
   */
  step: string;
  accepted: boolean;
}

/** The row of one session, as the database would keep it, and the bank as a script. */
export class FakeSession {
  state: 'open' | 'succeeded' | 'ended' = 'open';
  shown: ShownInRow[] = [];
  calls: string[] = [];
  /**
   * The time of the next check for expiry, and its result: until the test ends it, every check
   * finds it moved. Null means that it does not expire.
   */
  deadline: { lookAgainInMs: number; isOver: boolean } | null = null;
  looks = 0;
  bank: BankBehavior[] = [() => ({ kind: 'linked', accounts: 2, questions: [] })];
  /**
   * The user already has a link here, and the app requested a warning. Null means that the link is
   * gone.
   */
  another: { linkId: string; state: 'connected' | 'error'; error: 'auth_expired' | null } | null =
    null;
  extension: 'offered' | 'chosen' | null = null;
  /** True if the bank has a login on its own pages. */
  redirects = false;
  /** The time that the user may stay there, and the deadlines of the attempts by their names. */
  redirectMs = 60_000;
  /** The response of the bank to the next request for a redirect, in place of the usual one. */
  opening: BankBehavior | null = null;
  attempts = new Map<string, number>();
  presetInstitutionId: string | null = null;
  institutionId: string | null = null;
  bankAccepted = false;
  /** The login received a permission before it failed or was lost. */
  hasGrant = false;
  preparedKind: StepKind | null = null;
  /** The questions after the login, and the answers at the end. */
  questions: LinkingQuestion[] = [];
  answers: QuestionAnswer[] = [];
  mayRepeat = false;
  /** True if another provider reaches the bank, too. */
  hasAnotherRoute = false;
  /** The time that the first call of a login has; null = no limit. */
  patienceMs: number | null = null;
  login: StartedLogin | null = null;
  stepExpiresAt: number | null = null;
  /** The outcome of the link, where a test sets it. */
  link: Deadline['link'] = null;
  /** Makes the next call of this activity fail. */
  failing = new Map<string, () => Error>();

  get seq(): number {
    return this.shown.at(-1)?.seq ?? 0;
  }

  /** The name that the database uses. */
  get phase(): RowPhase {
    const step = this.steps.at(-1);
    const kind = kindOf(step);
    if (kind === null) return 'unopened';
    if (this.bankAccepted && kind !== 'error' && kind !== 'success') return 'asking';
    switch (kind) {
      case 'select_institution':
        return 'choosingBank';
      case 'redirect':
        return step === 'redirect started' ? 'awayAtBank' : 'offeringRedirect';
      case 'choice':
        return this.extension === 'offered' ? 'offeringExtension' : 'answering';
      case 'wait':
        return this.preparedKind === 'wait' ? 'waitingAtBank' : 'callingBank';
      case 'error':
        return 'showingProblem';
      case 'success':
        return 'succeeded';
      case 'consent':
      case 'select_accounts':
        return 'asking';
      case 'form':
      case 'otp':
      case 'image':
        return 'answering';
    }
  }

  /** The steps in the order of their numbers. */
  get steps(): string[] {
    return this.shown.map(({ step }) => step);
  }

  count(call: string): number {
    return this.calls.filter((made) => made.startsWith(call)).length;
  }

  show(seq: number, step: string, accepted = false): Deadline {
    if (seq > this.seq) {
      this.shown.push({ seq, step, accepted });
      this.stepExpiresAt = null;
    }
    return this.look();
  }

  look(): Deadline {
    this.looks += 1;
    if (this.deadline?.isOver) {
      this.state = 'ended';
      this.deadline = null;
    }
    return {
      state: this.state,
      lookAgainInMs: this.deadline?.lookAgainInMs ?? null,
      link: this.link ?? null,
    };
  }

  recordCall(call: string): void {
    this.calls.push(call);
    const name = call.split(' ')[0] ?? call;
    const failure = this.failing.get(name);
    if (failure === undefined) return;
    this.failing.delete(name);
    throw failureOf(failure());
  }
}
