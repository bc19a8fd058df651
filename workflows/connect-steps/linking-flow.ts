import { upsertSearchAttributes } from '@temporalio/workflow';
import { EXTEND_EXISTING } from '../../domain/session/extension-offer.js';
import type { LinkingActivities } from '../../activities/linking/linking-activities.js';
import type {
  WorkflowStep,
  QuestionAnswer,
  SessionSnapshot,
} from '../../activities/linking/session-state.js';
import { linkAttributes } from '../search-attributes.js';
import { BankLogin, type LoginEnd } from './bank-login.js';
import type { Command } from './commands.js';
import type { ConnectSteps } from './connect-steps.js';
import { UserQuestions } from './user-questions.js';

/**
 * What a session does with each command: bank, login, consent, accounts, success. link-lifecycle 4.
 */
export class LinkingFlow {
  private readonly bank: BankLogin;
  private readonly questions: UserQuestions;

  constructor(
    private readonly sessionId: string,
    private readonly steps: ConnectSteps,
    private readonly linking: LinkingActivities,
    private readonly snapshot: SessionSnapshot,
    private readonly mode: 'link' | 'relink',
  ) {
    this.bank = new BankLogin(steps, linking, sessionId, snapshot, mode);
    this.questions = new UserQuestions(steps, linking, snapshot, (answer) => this.finish(answer));
  }

  /** A history can be lost, the row cannot: continues with the step the row shows. */
  async resume(): Promise<void> {
    const { stepKind, bankAccepted, presetInstitutionId, preparedKind, hasGrant } = this.snapshot;
    if (bankAccepted && stepKind !== 'error') return this.questions.resume(this.bank.questions);
    if (stepKind !== 'wait') return;
    if (hasGrant === true)
      this.steps.queueFirst({ kind: 'answer', input: { kind: 'error', action: 'retry' } });
    else if (preparedKind === 'wait') this.steps.queueFirst({ kind: 'awaitBank' });
    // connect 5, rule 12: nothing is in progress behind the `wait` the user sees.
    else if (presetInstitutionId !== null && preparedKind === null) this.steps.awaitReopening();
    else await this.bank.showAgain({ interrupted: true });
  }

  async handle(command: Command): Promise<void> {
    switch (command.kind) {
      case 'start':
        return this.begin();
      case 'answer':
        return this.answer(command.input);
      case 'exit':
        return this.exit();
      case 'awaitBank':
        return this.askQuestionsIfLinked(await this.bank.awaitBank());
      case 'stepTimeOver':
        await this.bank.timeOut();
        return;
      case 'tooManySteps':
        await this.linking.cancelSession(this.sessionId);
        return this.steps.session.end();
    }
  }

  /**
   * Publishes the final state of the link to operators, whatever ended the session. Success has
   * already published it.
   */
  async publishLink(): Promise<void> {
    const { outcome } = this.steps.session;
    if (outcome === 'exchanged')
      return upsertSearchAttributes(linkAttributes({ state: 'connected', error: null }));
    if (outcome === 'succeeded') return;
    if (this.steps.session.link === undefined && this.bank.published.isNamed)
      await this.steps.session.checkDeadlines();
    const { link } = this.steps.session;
    if (link) upsertSearchAttributes(linkAttributes(link));
    else if (this.bank.published.isNamed) this.bank.published.clear();
  }

  async showProblem(): Promise<void> {
    await this.bank.showProblem('connect_error.internal');
  }

  /** Shows the first step; a session for one bank has none and starts with its login. */
  private async begin(): Promise<void> {
    const { presetInstitutionId } = this.snapshot;
    if (presetInstitutionId === null) await this.steps.show({ kind: 'select_institution' });
    else await this.logIn(presetInstitutionId);
  }

  private async answer(input: Extract<Command, { kind: 'answer' }>['input']): Promise<void> {
    if ('sealedAs' in input)
      return this.askQuestionsIfLinked(await this.bank.submitAnswer({ sealedAs: input.sealedAs }));
    switch (input.kind) {
      case 'select_institution':
        return this.logIn(input.institution_id);
      case 'error':
        return input.action === 'retry'
          ? this.logIn(this.bank.institutionId, { isRetry: true })
          : this.chooseBank();
      case 'back':
        return this.questions.canGoBack ? this.questions.goBack() : this.chooseBank();
      case 'redirect_start':
        return this.askQuestionsIfLinked(await this.bank.startRedirect(input.way));
      case 'redirect_return':
        return this.askQuestionsIfLinked(await this.bank.completeRedirect(input.way));
      case 'choice':
        if (this.bank.isOffering)
          return this.askQuestionsIfLinked(
            await this.bank.decideExtension(input.option_ids.includes(EXTEND_EXISTING)),
          );
        return this.askQuestionsIfLinked(await this.bank.submitAnswer(input));
      case 'otp':
        return this.askQuestionsIfLinked(await this.bank.submitAnswer(input));
      case 'consent':
      case 'select_accounts':
        return this.questions.answer(input);
      // Answers to steps that are no longer shown; the current step stays.
      case 'wait':
      case 'redirect':
        await this.bank.showAgain({ interrupted: false });
    }
  }

  private async chooseBank(): Promise<void> {
    this.bank.reset();
    await this.steps.show({ kind: 'select_institution' });
  }

  private async logIn(institutionId: string | null, { isRetry = false } = {}): Promise<void> {
    this.questions.reset();
    if (institutionId === null) await this.chooseBank();
    else await this.askQuestionsIfLinked(await this.bank.begin(institutionId, { isRetry }));
  }

  private async askQuestionsIfLinked(end: LoginEnd): Promise<void> {
    if (end === 'linked') await this.questions.begin(this.bank.questions);
  }

  private async finish(answer: QuestionAnswer): Promise<void> {
    await this.steps.showWith({ kind: 'success' }, (showing) =>
      this.linking.finishLinking({ ...showing, ...answer }),
    );
    if (!this.steps.session.hasSucceeded) return;
    const { isRelink } = this.bank;
    if (isRelink) this.steps.session.expectNoExchange();
    // As read from the row: what the app has to confirm has not changed it yet (connect 7).
    const { link } = this.steps.session;
    const usual = {
      state: isRelink ? 'connected' : 'awaiting_token_exchange',
      error: null,
    } as const;
    upsertSearchAttributes(linkAttributes(link ?? usual));
  }

  /**
   * connect 4: exit ends the attempt, not the session, which starts over when it is opened again.
   */
  private async exit(): Promise<void> {
    const isForOneBank = this.snapshot.presetInstitutionId !== null;
    const content: WorkflowStep = isForOneBank
      ? { kind: 'wait', stage: 'connecting', can_cancel: false }
      : { kind: 'select_institution' };
    this.bank.reset();
    this.questions.reset();
    await this.steps.showWith(content, ({ sessionId, seq }) =>
      this.linking.exitAttempt({ sessionId, seq, content }),
    );
    const { link } = this.steps.session;
    if (this.mode === 'link' && link) upsertSearchAttributes(linkAttributes(link));
    if (isForOneBank) this.steps.awaitReopening();
  }
}
