import { upsertSearchAttributes } from '@temporalio/workflow';
import type { LinkingActivities, OwnStep, SessionStanding } from '../../activities/linking-activities.js';
import { BankLogin, type LoginEnd } from '../connect-steps/bank-login.js';
import type { Command, ConnectSteps } from '../connect-steps/connect-steps.js';
import { SEARCH_ATTRIBUTES } from '../search-attributes.js';

/** What a session for a new link does with each answer of its user. */
export class NewLink {
  private readonly bank: BankLogin;

  constructor(private readonly sessionId: string, private readonly steps: ConnectSteps, private readonly linking: LinkingActivities, private readonly standing: SessionStanding) {
    this.bank = new BankLogin(steps, linking, sessionId, standing);
  }

  /** A history can be lost, the row cannot: whatever it shows is where this run begins. */
  async goOnFromTheRow(): Promise<void> {
    const { stepKind, bankAccepted, presetInstitutionId, preparedKind } = this.standing;
    if (bankAccepted) return this.finish();
    if (stepKind !== 'wait') return;
    // connect 5, rule 12: nobody works on what the user waits for.
    if (presetInstitutionId !== null && preparedKind === null) this.steps.awaitOpening();
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
      case 'stepTimeOver':
        await this.bank.timeOver();
        return;
      case 'tooManySteps':
        await this.linking.cancelSession(this.sessionId);
        return this.steps.end();
    }
  }

  async showProblem(): Promise<void> {
    await this.bank.showProblem('connect_error.internal');
  }

  /** The first step; a session made for one bank has none to show and begins with its login. */
  private async begin(): Promise<void> {
    const { presetInstitutionId } = this.standing;
    if (presetInstitutionId === null) await this.steps.show({ kind: 'select_institution' });
    else await this.logIn(presetInstitutionId);
  }

  private async answer(input: Extract<Command, { kind: 'answer' }>['input']): Promise<void> {
    if ('sealedAs' in input) return this.finishIfLinked(await this.bank.answer({ sealedAs: input.sealedAs }));
    switch (input.kind) {
      case 'select_institution':
        return this.logIn(input.institution_id);
      case 'error':
        return input.action === 'retry' ? this.logIn(this.bank.institutionId) : this.steps.show({ kind: 'select_institution' });
      case 'back':
        return this.steps.show({ kind: 'select_institution' });
      case 'redirect_start':
        return this.finishIfLinked(await this.bank.setOut(input.way));
      case 'redirect_return':
        return this.finishIfLinked(await this.bank.comeBack(input.way));
      case 'choice':
      case 'otp':
        return this.finishIfLinked(await this.bank.answer(input));
      // Answers to steps that no bank of a new link asks for yet; the step stays.
      case 'wait':
      case 'redirect':
      case 'select_accounts':
      case 'consent':
        await this.bank.showAgain({ interrupted: false });
    }
  }

  private async logIn(institutionId: string | null): Promise<void> {
    if (institutionId === null) await this.steps.show({ kind: 'select_institution' });
    else await this.finishIfLinked(await this.bank.begin(institutionId));
  }

  private async finishIfLinked(end: LoginEnd): Promise<void> {
    if (end === 'linked') await this.finish();
  }

  private async finish(): Promise<void> {
    await this.steps.showBy({ kind: 'success' }, (showing) => this.linking.finishLinking(showing));
    upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.linkState, value: 'awaiting_token_exchange' }]);
  }

  /** connect 4: exit ends the attempt, not the session, which begins again when it is opened again. */
  private async leave(): Promise<void> {
    const oneBank = this.standing.presetInstitutionId !== null;
    const content: OwnStep = oneBank ? { kind: 'wait', stage: 'connecting', can_cancel: false } : { kind: 'select_institution' };
    this.bank.forget();
    await this.steps.showBy(content, ({ sessionId, seq }) => this.linking.exitAttempt({ sessionId, seq, content }));
    if (oneBank) this.steps.awaitOpening();
  }
}
