import type { LinkingActivities } from '../../activities/linking/linking-activities.js';
import type { QuestionAnswer, SessionSnapshot } from '../../activities/linking/session-state.js';
import type { StepInput } from '../../domain/session/connect-step.js';
import type { LinkingQuestion } from '../../domain/session/linking-questions.js';
import type { ConnectSteps } from './connect-steps.js';

/** Consent and accounts: the questions after the bank accepted the login. */
export class UserQuestions {
  private questions: readonly LinkingQuestion[] = [];
  /** The question that is shown. */
  private current: LinkingQuestion | null = null;

  constructor(
    private readonly steps: ConnectSteps,
    private readonly linking: LinkingActivities,
    private readonly snapshot: SessionSnapshot,
    private readonly finish: (answer: QuestionAnswer) => Promise<void>,
  ) {}

  /** From accounts back to consent. An accepted login cannot be undone. */
  get canGoBack(): boolean {
    return this.current === 'select_accounts' && this.questions.includes('consent');
  }

  async begin(questions: readonly LinkingQuestion[]): Promise<void> {
    this.questions = questions;
    const [first] = questions;
    if (first === undefined) await this.finish({});
    else await this.show(first, {});
  }

  /** After a restart: continues with the question the row shows. */
  async resume(questions: readonly LinkingQuestion[]): Promise<void> {
    const shown = questions.find((question) => question === this.snapshot.stepKind);
    if (shown === undefined) return this.begin(questions);
    this.questions = questions;
    this.current = shown;
  }

  async answer(input: Extract<StepInput, { kind: 'consent' | 'select_accounts' }>): Promise<void> {
    if (input.kind === 'select_accounts') return this.finish({ refs: input.refs });
    const { granted } = input;
    if (this.questions.includes('select_accounts')) await this.show('select_accounts', { granted });
    else await this.finish({ granted });
  }

  async goBack(): Promise<void> {
    await this.show('consent', {});
  }

  reset(): void {
    this.questions = [];
    this.current = null;
  }

  private async show(question: LinkingQuestion, answer: QuestionAnswer): Promise<void> {
    this.current = question;
    const canGoBack = this.canGoBack;
    await this.steps.showWith({ kind: question }, (showing) =>
      this.linking.showQuestion({ ...showing, ...answer, question, canGoBack }),
    );
  }
}
