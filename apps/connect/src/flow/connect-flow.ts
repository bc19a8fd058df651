import type { RequestedExitReason } from '../host/host.js';
import { CallFailure } from '../session/call-failure.js';
import type {
  ErrorAction,
  Step,
  StepInput,
} from '../../../../packages/connect-protocol/src/step.js';
import type {
  Institution,
  InstitutionPage,
} from '../../../../packages/connect-protocol/src/view.js';
import type { BankLogin, BankLoginParts } from './bank-login.js';
import { Ending } from './ending.js';
import { EventReporter, type SubmissionEvent } from './event-reporter.js';
import type { FlowParts } from './flow-parts.js';
import type { Problem } from './flow-state.js';
import { FlowStore } from './flow-store.js';
import { hostCommands } from './host-commands.js';
import { openSession } from './open-session.js';
import {
  errorOfFailure,
  errorOfRefusedAnswer,
  problemOfFailure,
  problemOfStep,
  type Naming,
} from './problems.js';
import { refusalOf } from './refusals.js';
import { isKnown, lossOf, screenOf } from './screens.js';
import { stepErrorText } from './step-error.js';
import { causeOfAnswer } from './waiting-subject.js';
import { watchSteps } from './step-watch.js';

/** The actions of the user, the SDK and the service; flow-state.ts has their consequences. */
export class ConnectFlow {
  readonly store = new FlowStore();
  readonly events: EventReporter;
  private readonly ending: Ending;
  private bankLogin: BankLogin | null = null;
  private shownStep: string | null = null;
  /** Created once: the problem reported to the SDK must be repeated in its exit (connect 9.1). */
  private stepProblem: { stepId: string; problem: Problem } | null = null;
  /** The bank that the user has just chosen, until the service responds with it. */
  private chosenBank: string | null = null;
  private isOpened = false;
  private isReady = false;
  /** A refused call was followed by a check of the session, which has ended. */
  private isEndKnown = false;

  constructor(
    private readonly parts: FlowParts,
    onThemeChange: (theme: unknown, appearance: unknown) => void,
  ) {
    const { host, client, now } = parts;
    const { store } = this;
    this.events = new EventReporter(
      host,
      () => store.get().view,
      () => new Date(now()),
    );
    this.ending = new Ending({ host, client, store, events: this.events });
    store.subscribe(() => this.follow());
    watchSteps({ store, client, now, onFailure: this.fail });
    host.listen(
      hostCommands({
        flow: this,
        host,
        ending: this.ending,
        bankLogin: () => this.bankLogin,
        onThemeChange,
      }),
    );
  }

  /** connect 4: bootstrap; connect 7: a return from the bank in a window that did not start it. */
  async start(): Promise<void> {
    const { host, client, device, texts } = this.parts;
    try {
      const opened = await openSession(client, host, { device, locale: texts.formatLocale });
      if (opened.view === null) return this.store.dispatch({ type: 'ended', end: opened.end });
      const { view, isReturn } = opened;
      host.opened?.(view.session_id);
      if (view.locale !== undefined) await this.parts.onLocale(view.locale);
      if (isReturn === true) this.events.report('return_oauth', { window: 'same' });
      this.store.dispatch({ type: 'answered', view });
    } catch (error) {
      this.fail(error);
    }
  }

  answer(input: StepInput, submission?: SubmissionEvent): void {
    const { phase, view, sending } = this.store.get();
    if (phase !== 'open' || view === null || sending) return;
    if (submission !== undefined) this.events.submission(submission);
    this.store.dispatch({ type: 'sending', sent: causeOfAnswer(view.step, input) });
    this.parts.client
      .answer(view.seq, input)
      .then((next) => this.store.dispatch({ type: 'answered', view: next }), this.fail);
  }

  /** Signing in at the bank's own pages; its code comes with the screen that starts it. */
  loginAtBank(create: (parts: BankLoginParts) => BankLogin): BankLogin {
    const { host, client, device } = this.parts;
    this.bankLogin ??= create({
      host,
      client,
      device,
      store: this.store,
      events: this.events,
      onFailure: this.fail,
    });
    return this.bankLogin;
  }

  select({ institution_id, name }: Institution): void {
    if (this.store.get().sending) return;
    this.events.report('select_institution', { institution_id, institution_name: name });
    this.chosenBank = name;
    this.answer({ kind: 'select_institution', institution_id });
  }

  async search(
    term: string,
    cursor: string | null,
    signal: AbortSignal,
  ): Promise<InstitutionPage | null> {
    try {
      return await this.parts.client.search(term, cursor, signal);
    } catch (error) {
      if (!signal.aborted) this.fail(error);
      return null;
    }
  }

  /** An action of a problem. */
  act(action: ErrorAction, problem: Problem): void {
    switch (action) {
      case 'retry':
        return this.store.get().phase === 'problem'
          ? this.tryAgain()
          : this.answer({ kind: 'error', action });
      case 'choose_another':
        return this.answer({ kind: 'error', action });
      case 'open_institution':
        if (problem.institutionUrl === null) return;
        this.events.report('open_institution_website');
        window.open(problem.institutionUrl, '_blank', 'noopener,noreferrer');
        return;
      case 'connect_manually':
        return this.connectManually();
      case 'exit':
        return this.end(problem.exitReason, problem);
    }
  }

  connectManually(): void {
    const { searchTerm } = this.store.get();
    this.events.report('connect_manually', { search_term: searchTerm });
    void this.ending.exit('connect_manually', null);
  }

  /**
   * Leaving by ×: confirmed once there is progress to lose (connect 3); Escape may be a slip and
   * is always confirmed.
   */
  leave(
    { ask }: { ask: 'always' | 'whenAccepted' },
    reason: RequestedExitReason = 'user_closed',
  ): void {
    const { phase, view, leaving } = this.store.get();
    if (phase === 'done' || phase === 'moved') return this.ending.close();
    if (phase === 'left' || leaving !== null) return;
    const mayLose = phase === 'open' && lossOf(view?.step) !== 'nothing';
    if ((ask === 'always' && phase !== 'problem') || mayLose)
      this.store.dispatch({ type: 'askedToLeave', reason });
    else this.confirmLeave(reason);
  }

  stay(): void {
    this.store.dispatch({ type: 'stayed' });
  }

  confirmLeave(reason: RequestedExitReason = this.store.get().leaving ?? 'user_closed'): void {
    const problem = this.problem();
    if (problem === null) void this.ending.exit(reason, null);
    else this.end(problem.exitReason, problem);
  }

  /** Requests more time from the service; true when it granted some. */
  async keepOpen(): Promise<boolean> {
    const before = this.store.get().view;
    if (before === null) return false;
    try {
      const view = await this.parts.client.extend();
      this.store.dispatch({ type: 'shown', view });
      return view.expires_at > before.expires_at;
    } catch (error) {
      this.fail(error);
      return false;
    }
  }

  /** connect 9.2, onReady: the first screen is visible. */
  screenVisible(): void {
    const { view, phase } = this.store.get();
    if (this.isReady || view === null || phase === 'done' || phase === 'left') return;
    this.isReady = true;
    this.parts.host.post('ready', { session_id: view.session_id, mode: view.mode });
  }

  problem(): Problem | null {
    const { phase, problem, view } = this.store.get();
    if (phase === 'problem') return problem;
    if (phase !== 'open' || view?.step.kind !== 'error') return null;
    if (this.stepProblem?.stepId !== view.step.id) {
      this.stepProblem = {
        stepId: view.step.id,
        problem: problemOfStep(
          view.step,
          this.parts.texts,
          this.names(),
          new Date(this.parts.now()),
        ),
      };
    }
    return this.stepProblem.problem;
  }

  names(): Naming {
    const { host, texts } = this.parts;
    const { view, sending, end } = this.store.get();
    const chosen = sending && view?.step.kind === 'select_institution' ? this.chosenBank : null;
    return {
      app: host.init.applicationName ?? (view ?? end)?.app.name ?? texts.get('the_app'),
      bank: view?.institution?.name ?? chosen ?? texts.get('your_bank'),
    };
  }

  readonly fail = (error: unknown): void => {
    if (!(error instanceof CallFailure)) {
      console.error(error);
      return this.showProblem('connect_error.internal', null);
    }
    if (error.errorId === 'connect_error.session_moved')
      return void this.moveAway(error).catch(this.fail);
    if (
      error.errorId === 'connect_error.session_closed' &&
      this.parts.client.isOpen &&
      !this.isEndKnown
    )
      return this.lookForSuccess(error);
    if (error.view !== null) {
      return this.store.dispatch({
        type: error.errorId === 'connect_error.step_in_progress' ? 'busyElsewhere' : 'answered',
        view: error.view,
      });
    }
    const refusal = this.store.get().phase === 'open' ? refusalOf(error.errorId) : null;
    if (refusal === null) return this.showProblem(error.errorId, error.requestId);
    if (refusal.isReported)
      this.events.error(errorOfFailure(error, this.parts.texts.get(refusal.text)));
    this.store.dispatch({ type: 'refused', refusal: refusal.text });
  };

  /**
   * connect 5, rule 8: after success a repeated answer is refused like one to an ended session. The
   * call that succeeded may be the one whose response was lost, so the session is queried for which
   * of the two it is.
   */
  private lookForSuccess(refused: CallFailure): void {
    const { host, client } = this.parts;
    const end = (problem: unknown) => {
      this.isEndKnown = true;
      this.fail(problem);
    };
    client.current(0, 0).then(
      (view) => {
        if (view.step.kind === 'success') this.store.dispatch({ type: 'answered', view });
        else end(refused);
      },
      (error: unknown) => {
        // The back end of a hosted session may exchange its result before the page has shown it.
        if (host.kind === 'page') this.ending.succeed().catch(() => end(error));
        else end(error);
      },
    );
  }

  /** The SDK's messages about the current screen. */
  private follow(): void {
    const state = this.store.get();
    const { view, phase } = state;
    if (phase === 'open' && view !== null && !isKnown(view.step))
      return this.showProblem('connect_error.unsupported_step', null);
    if (phase === 'open' && !this.isOpened) {
      this.isOpened = true;
      this.events.report('open');
    }
    this.events.screenShown(screenOf(state));
    if (phase !== 'open' || view === null || this.shownStep === view.step.id) return;
    this.shownStep = view.step.id;
    if (view.step.error !== null) this.reportRefusal(view.step).catch(this.fail);
    if (view.step.kind === 'error') this.reportProblem(view.step.id).catch(this.fail);
    if (view.step.kind === 'success') this.ending.succeed().catch(this.fail);
  }

  /** A page that is opened at the step of a code has not loaded the text of its refusal yet. */
  private async reportRefusal(step: Step): Promise<void> {
    if (step.kind === 'otp') await this.parts.loadDeferredTexts();
    const text = stepErrorText(step, this.parts.texts) ?? '';
    const refused = errorOfRefusedAnswer(step, text);
    if (refused !== null) this.events.error(refused);
  }

  /** Its text is among those of the deferred screens. */
  private async reportProblem(stepId: string): Promise<void> {
    await this.parts.loadDeferredTexts();
    const problem = this.store.get().view?.step.id === stepId ? this.problem() : null;
    if (problem !== null) this.events.error(problem.error);
  }

  private tryAgain(): void {
    const { client } = this.parts;
    // The result is fetched again by showing the last step again.
    if (this.store.get().view?.step.kind === 'success') this.shownStep = null;
    this.store.dispatch({ type: 'starting' });
    if (!client.isOpen) return void this.start();
    client.current(0, 0).then((view) => this.store.dispatch({ type: 'answered', view }), this.fail);
  }

  private showProblem(errorId: string, requestId: string | null): void {
    const problem = problemOfFailure(
      errorId,
      requestId,
      this.parts.texts,
      this.names(),
      new Date(this.parts.now()),
    );
    this.store.dispatch({ type: 'failed', problem });
    this.events.error(problem.error);
  }

  /** Its text is among those of the deferred screens. */
  private async moveAway(failure: CallFailure): Promise<void> {
    this.store.dispatch({ type: 'moved' });
    await this.parts.loadDeferredTexts();
    const error = errorOfFailure(failure, this.parts.texts.get('moved_title'));
    this.events.error(error);
    await this.ending.exit('moved', error);
  }

  private end(reason: Problem['exitReason'], problem: Problem): void {
    void this.ending.exit(reason, problem.error);
  }
}
