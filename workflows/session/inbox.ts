import { ApplicationFailure, condition, isCancellation, setHandler } from '@temporalio/workflow';
import type { SessionEvent, SessionPhase } from '../../domain/session/session-phase.js';
import type { Deadlines } from './deadlines.js';
import {
  endedSignal,
  exchangedSignal,
  exitUpdate,
  openSessionUpdate,
  submitStepUpdate,
  type ShownStep,
  type StepRejection,
  type StepSubmission,
} from './session.contract.js';
import type { ShownSteps } from './shown-steps.js';

/** connect 4: the maximum number of steps in one session, so that no page can fill a history. */
export const MAX_STEPS = 60;

/**
 * The ends of a session, and changes that are stored but that this workflow run does not know of.
 */
type SessionEnd = Extract<
  SessionEvent,
  { name: 'exchanged' | 'endedElsewhere' | 'sessionTimeOver' | 'finished' }
>;
/** The events that interrupt a bank call. */
export type Interruption =
  | SessionEnd
  | Extract<SessionEvent, { name: 'exited' | 'canceled' | 'stepTimeOver' }>;

/**
 * The messages of Connect and of the rest of the service, as events: one at a time, an exit before
 * an answer, and both before a deadline of the step.
 */
export class Inbox {
  private phase: SessionPhase = { name: 'unopened' };
  /** An event was taken and is still being processed. */
  private isWorking = false;
  private isAccepting = false;
  private answer: SessionEvent | null = null;
  private hasExited = false;
  private hasCanceled = false;
  private wasExchanged = false;
  private wasEnded = false;

  constructor(
    private readonly steps: ShownSteps,
    private readonly deadlines: Deadlines,
    private readonly softReplyMs: number,
  ) {}

  /** Must be called before the first await of the workflow. */
  registerHandlers(): void {
    setHandler(openSessionUpdate, () => this.orSessionClosed(() => this.open()));
    setHandler(
      submitStepUpdate,
      (submission) => this.orSessionClosed(() => this.submit(submission)),
      {
        validator: (submission) => {
          if (this.isAccepting) this.assertAcceptable(submission);
        },
      },
    );
    setHandler(exitUpdate, () => this.orSessionClosed(() => this.exit()));
    setHandler(exchangedSignal, () => {
      this.wasExchanged = true;
    });
    setHandler(endedSignal, () => {
      this.wasEnded = true;
      this.deadlines.end();
    });
  }

  /** From here on, messages are processed. */
  accept(): void {
    this.isAccepting = true;
  }

  enter(phase: SessionPhase): void {
    this.phase = phase;
    this.isWorking = true;
  }

  // ---- events ----

  /** Waits for the user, a deadline, or another part of the service. */
  async next(onWait: () => void): Promise<SessionEvent> {
    this.isWorking = false;
    for (;;) {
      const event = this.pending();
      if (event !== null) return this.take(event);
      onWait();
      // This must be exactly the condition that ends the loop. Any other would make it spin,
      // because the exchange window may outlast the session.
      await this.deadlines.untilDue(() => this.pending() !== null);
    }
  }

  /** The event that ended the session in the meantime; null = it has not ended. */
  ending(): SessionEnd | null {
    if (this.wasExchanged) return { name: 'exchanged' };
    if (this.wasEnded) return { name: 'endedElsewhere' };
    if (this.phase.name === 'succeeded')
      return this.deadlines.isTimeOver ? { name: 'sessionTimeOver' } : null;
    const { state } = this.deadlines;
    if (state === 'ended') return { name: 'sessionTimeOver' };
    return state === 'succeeded' ? { name: 'finished' } : null;
  }

  /** The event that interrupts the call in progress; null = none. */
  interruption(): Interruption | null {
    const end = this.ending();
    if (end !== null) return end;
    if (this.hasExited) return { name: 'exited' };
    if (this.hasCanceled) return { name: 'canceled' };
    return this.deadlines.isStepOverdue ? { name: 'stepTimeOver' } : null;
  }

  /** The work that the user canceled has finished, with either outcome. */
  settleCancellation(): void {
    this.hasCanceled = false;
  }

  /** The next decision is about this event; messages that it overtakes are void. */
  take(event: SessionEvent): SessionEvent {
    this.isWorking = true;
    this.steps.acknowledge({ isAnswer: event.name === 'answered' || event.name === 'wentBack' });
    this.answer = null;
    this.hasExited = false;
    this.hasCanceled = false;
    this.deadlines.limitStep(null);
    return this.isOpen && this.steps.current >= MAX_STEPS ? { name: 'tooManySteps' } : event;
  }

  private pending(): SessionEvent | null {
    const end = this.ending();
    if (end !== null || !this.isOpen) return end;
    if (this.hasExited) return { name: 'exited' };
    if (this.answer !== null) return this.answer;
    return this.deadlines.isStepOverdue ? { name: 'stepTimeOver' } : null;
  }

  // ---- messages ----

  private get isOpen(): boolean {
    return this.deadlines.state === 'open' && !this.wasExchanged;
  }

  private get isStarted(): boolean {
    return this.phase.name !== 'unopened';
  }

  private async open(): Promise<ShownStep> {
    await this.untilAccepting();
    if (this.isStarted && this.steps.shown > 0) return { seq: this.steps.shown };
    if (!this.isStarted && this.answer === null) this.answer = { name: 'opened' };
    return this.reply(this.steps.shown);
  }

  private async submit(submission: StepSubmission): Promise<ShownStep> {
    await this.untilAccepting();
    this.assertAcceptable(submission);
    const { input, seq } = submission;
    if (this.isWorking) this.hasCanceled = true;
    else
      this.answer =
        input.kind === 'back' ? { name: 'wentBack' } : { name: 'answered', answer: input };
    return this.reply(seq);
  }

  private async exit(): Promise<ShownStep> {
    await this.untilAccepting();
    if (!this.isOpen || !this.isStarted) return { seq: this.steps.shown };
    const before = this.steps.shown;
    this.hasExited = true;
    await condition(
      () => !this.isOpen || (!this.hasExited && !this.isWorking && this.steps.shown > before),
    );
    return { seq: this.steps.shown };
  }

  /** connect 5, rules 2 and 8. While work is in progress, only its cancellation is accepted. */
  private assertAcceptable({ seq, input }: StepSubmission): void {
    if (!this.isOpen) throw rejection('SessionClosed', 'The session has ended or is finished.');
    if (seq !== this.steps.current) throw rejection('StaleStep', 'The session shows another step.');
    const cancelsWork =
      input.kind === 'wait' && this.isWorking && this.steps.canCancel && !this.hasCanceled;
    const isBusy = this.isWorking || this.answer !== null || this.hasExited;
    if (isBusy && !cancelsWork)
      throw rejection('StepInProgress', 'The previous answer is still being processed.');
  }

  /** connect 5, rule 5: work that exceeds the soft reply time continues behind a `wait` step. */
  private async reply(after: number): Promise<ShownStep> {
    const isShown = () => this.steps.shown > after || !this.isOpen;
    if (!(await condition(isShown, this.softReplyMs, { summary: 'soft reply' }))) {
      if (this.steps.current === after)
        await this.steps.showWait({ canCancel: mayCancel(this.phase) && !this.hasCanceled });
      await condition(isShown);
    }
    return { seq: this.steps.shown };
  }

  private async untilAccepting(): Promise<void> {
    await condition(() => this.isAccepting);
    if (this.deadlines.state === 'ended')
      throw rejection('SessionClosed', 'The session has ended.');
  }

  /** A message that is waiting when the workflow is canceled is rejected: the session is closed. */
  private async orSessionClosed(handler: () => Promise<ShownStep>): Promise<ShownStep> {
    try {
      return await handler();
    } catch (error) {
      if (isCancellation(error)) throw rejection('SessionClosed', 'The session was ended.');
      throw error;
    }
  }
}

/** connect 5, rule 11: the user may leave the wait for this call. */
function mayCancel(phase: SessionPhase): boolean {
  return phase.name === 'waitingAtBank' || (phase.name === 'callingBank' && phase.mayCancel);
}

function rejection(type: StepRejection, message: string): ApplicationFailure {
  return ApplicationFailure.create({ type, message, nonRetryable: true });
}
