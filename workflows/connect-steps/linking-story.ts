import { upsertSearchAttributes } from '@temporalio/workflow';
import { EXTEND_EXISTING } from '../../domain/session/extension-offer.js';
import type { LinkingActivities } from '../../activities/linking/linking-activities.js';
import type {
  OwnStep,
  QuestionAnswer,
  SessionStanding,
} from '../../activities/linking/session-state.js';
import { linkAttributes, NO_LINK } from '../search-attributes.js';
import { BankLogin, type LoginEnd } from './bank-login.js';
import type { Command } from './commands.js';
import type { ConnectSteps } from './connect-steps.js';
import { UserQuestions } from './user-questions.js';

/**
 * What a session does with each command: bank, login, consent, accounts, success. link-lifecycle 4.
 */
export class LinkingStory {
  private readonly bank: BankLogin;
  private readonly questions: UserQuestions;

  constructor(
    private readonly sessionId: string,
    private readonly steps: ConnectSteps,
    private readonly linking: LinkingActivities,
    private readonly standing: SessionStanding,
    private readonly mode: 'link' | 'relink',
  ) {
    this.bank = new BankLogin(steps, linking, sessionId, standing, mode);
    this.questions = new UserQuestions(steps, linking, standing, (answer) => this.finish(answer));
  }

  /** A history can be lost, the row cannot: continues with the step the row shows. */
  async goOnFromTheRow(): Promise<void> {
    const { stepKind, bankAccepted, presetInstitutionId, preparedKind } = this.standing;
    if (bankAccepted && stepKind !== 'error') return this.questions.goOn(this.bank.questions);
    if (stepKind !== 'wait') return;
    if (preparedKind === 'wait') this.steps.beginWith({ kind: 'awaitBank' });
    // connect 5, rule 12: nothing is in progress behind the `wait` the user sees.
    else if (presetInstitutionId !== null && preparedKind === null) this.steps.awaitOpening();
    else await this.bank.showAgain({ interrupted: true });
  }

  async follow(command: Command): Promise<void> {
    switch (command.kind) {
      case 'start':
        return this.begin();
      case 'answer':
        return this.answer(command.input);
      case 'exit':
        return this.leave();
      case 'awaitBank':
        return this.askIfLinked(await this.bank.awaitBank());
      case 'stepTimeOver':
        await this.bank.timeOver();
        return;
      case 'tooManySteps':
        await this.linking.cancelSession(this.sessionId);
        return this.steps.end();
    }
  }

  /**
   * Publishes the final state of the link to operators, whatever ended the session. Success has
   * already published it.
   */
  async tellOfLink(): Promise<void> {
    const { outcome } = this.steps;
    if (outcome === 'exchanged')
      return upsertSearchAttributes(linkAttributes({ state: 'connected', error: null }));
    if (outcome === 'succeeded') return;
    if (this.steps.link === undefined && this.bank.hasNamedLink) await this.steps.checkDeadlines();
    const { link } = this.steps;
    if (link) upsertSearchAttributes(linkAttributes(link));
    else if (this.bank.hasNamedLink) upsertSearchAttributes(NO_LINK);
  }

  async showProblem(): Promise<void> {
    await this.bank.showProblem('connect_error.internal');
  }

  /** Shows the first step; a session for one bank has none and starts with its login. */
  private async begin(): Promise<void> {
    const { presetInstitutionId } = this.standing;
    if (presetInstitutionId === null) await this.steps.show({ kind: 'select_institution' });
    else await this.logIn(presetInstitutionId);
  }

  private async answer(input: Extract<Command, { kind: 'answer' }>['input']): Promise<void> {
    if ('sealedAs' in input)
      return this.askIfLinked(await this.bank.answer({ sealedAs: input.sealedAs }));
    switch (input.kind) {
      case 'select_institution':
        return this.logIn(input.institution_id);
      case 'error':
        return input.action === 'retry' ? this.logIn(this.bank.institutionId) : this.chooseBank();
      case 'back':
        return this.questions.canGoBack ? this.questions.goBack() : this.chooseBank();
      case 'redirect_start':
        return this.askIfLinked(await this.bank.setOut(input.way));
      case 'redirect_return':
        return this.askIfLinked(await this.bank.comeBack(input.way));
      case 'choice':
        if (this.bank.isOffering)
          return this.askIfLinked(
            await this.bank.decide(input.option_ids.includes(EXTEND_EXISTING)),
          );
        return this.askIfLinked(await this.bank.answer(input));
      case 'otp':
        return this.askIfLinked(await this.bank.answer(input));
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
    this.bank.forget();
    await this.steps.show({ kind: 'select_institution' });
  }

  private async logIn(institutionId: string | null): Promise<void> {
    this.questions.forget();
    if (institutionId === null) await this.chooseBank();
    else await this.askIfLinked(await this.bank.begin(institutionId));
  }

  private async askIfLinked(end: LoginEnd): Promise<void> {
    if (end === 'linked') await this.questions.begin(this.bank.questions);
  }

  private async finish(answer: QuestionAnswer): Promise<void> {
    await this.steps.showBy({ kind: 'success' }, (showing) =>
      this.linking.finishLinking({ ...showing, ...answer }),
    );
    if (!this.steps.hasSucceeded) return;
    const { isRelink } = this.bank;
    if (isRelink) this.steps.expectNoExchange();
    upsertSearchAttributes(
      linkAttributes({ state: isRelink ? 'connected' : 'awaiting_token_exchange', error: null }),
    );
  }

  /**
   * connect 4: exit ends the attempt, not the session, which starts over when it is opened again.
   */
  private async leave(): Promise<void> {
    const oneBank = this.standing.presetInstitutionId !== null;
    const content: OwnStep = oneBank
      ? { kind: 'wait', stage: 'connecting', can_cancel: false }
      : { kind: 'select_institution' };
    this.bank.forget();
    this.questions.forget();
    await this.steps.showBy(content, ({ sessionId, seq }) =>
      this.linking.exitAttempt({ sessionId, seq, content }),
    );
    const { link } = this.steps;
    if (this.mode === 'link' && link) upsertSearchAttributes(linkAttributes(link));
    if (oneBank) this.steps.awaitOpening();
  }
}
