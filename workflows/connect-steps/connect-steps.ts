import {
  ApplicationFailure,
  CancellationScope,
  condition,
  isCancellation,
  setHandler,
} from '@temporalio/workflow';
import type { LinkingActivities } from '../../activities/linking/linking-activities.js';
import type {
  Deadline,
  NextStep,
  SessionSnapshot,
  WorkflowStep,
} from '../../activities/linking/session-state.js';
import type { StepBase, StepKind } from '../../domain/session/connect-step.js';
import { CurrentDetails } from '../details/current-details.js';
import { WAITS } from '../details/wait-texts.js';
import type { Command, Interruption } from './commands.js';
import {
  endedSignal,
  exchangedSignal,
  exitUpdate,
  openSessionUpdate,
  submitStepUpdate,
  type ExitRequest,
  type ShownStep,
  type StepRejection,
  type StepSubmission,
} from './connect-steps.contract.js';
import type { SessionClock } from './session-clock.js';

/** connect 4: the maximum number of steps in one session, so that no page can fill a history. */
export const MAX_STEPS = 60;

/**
 * The steps of one session, for new links and relinks: which step is shown, whether its answer is
 * being processed, and when the next deadline is. Receives the messages of Connect; the workflow
 * takes them one at a time from `next`.
 */
export class ConnectSteps {
  /** The last number assigned, and the last number known to be stored. connect 5, rule 1. */
  private seq = 0;
  private shown = 0;
  private canCancel = false;
  /** The work in progress can return to an earlier step. */
  private mayReturn = false;
  private restored = false;
  /** The first step, or the login in its place, was started. */
  private started = false;
  /** A command was taken, and the next step is not shown yet. */
  private isWorking = false;
  /** The command was a user's answer that no stored step has acknowledged yet. */
  private unacknowledged = false;
  private pending: Command | null = null;
  private exitReason: string | null = null;
  private cancelRequested = false;
  private kind: StepKind | null = null;
  readonly details = new CurrentDetails();

  constructor(
    private readonly sessionId: string,
    private readonly softReplyMs: number,
    private readonly linking: Pick<LinkingActivities, 'loadSession' | 'showStep'>,
    readonly session: SessionClock,
  ) {}

  /** Must be called before the first await of the workflow. */
  registerHandlers(): void {
    setHandler(openSessionUpdate, () => this.orSessionClosed(() => this.open()));
    setHandler(
      submitStepUpdate,
      (submission) => this.orSessionClosed(() => this.submit(submission)),
      {
        validator: (submission) => {
          if (this.restored) this.assertAcceptable(submission);
        },
      },
    );
    setHandler(exitUpdate, (request) => this.orSessionClosed(() => this.exit(request)));
    setHandler(exchangedSignal, () => {
      this.session.recordExchange();
    });
    setHandler(endedSignal, () => {
      this.session.end();
    });
  }

  /** Loads the state from the row. Null = there is no such session. */
  async restore(): Promise<SessionSnapshot | null> {
    const snapshot = await this.linking.loadSession(this.sessionId);
    if (snapshot === null) {
      this.session.end();
      return null;
    }
    this.seq = this.shown = snapshot.seq;
    this.started = snapshot.stepKind !== null;
    this.kind = snapshot.stepKind;
    if (snapshot.state === 'succeeded' && snapshot.extension === 'chosen')
      this.session.expectNoExchange();
    this.session.limitStep(snapshot.stepExpiresInMs);
    await this.session.checkDeadlines();
    return snapshot;
  }

  /** From here on, messages are processed. */
  acceptMessages(): void {
    this.restored = true;
  }

  /** The number of the step that is shown or about to be. */
  get current(): number {
    return this.seq;
  }

  /** The next opening starts over: a session for one bank must not log in while no one watches. */
  awaitReopening(): void {
    this.started = false;
  }

  /** Queues a command ahead of any answer of the user. */
  queueFirst(command: Extract<Command, { kind: 'awaitBank' | 'answer' }>): void {
    this.pending = command;
    this.canCancel = true;
  }

  // ---- order of work ----

  /**
   * Waits for the user or a deadline. Null = nothing more can happen to the session or its token.
   */
  async next(): Promise<Command | null> {
    this.isWorking = false;
    for (;;) {
      if (this.session.isOver) return null;
      const command = this.session.isOpen ? this.nextCommand() : null;
      if (command !== null) return this.start(command);
      this.details.waitFor(this.waitText(), { until: this.session.dueAt });
      // Exactly the conditions this loop acts on. Any other would make it spin, because the
      // exchange window may outlast the session.
      await this.session.untilDue(
        () => this.session.isOver || (this.session.isOpen && this.nextCommand() !== null),
      );
    }
  }

  private waitText(): string {
    if (!this.session.isOpen) return WAITS.exchange();
    return this.started && this.kind !== null ? WAITS.step(this.kind) : WAITS.opening();
  }

  private nextCommand(): Command | null {
    if (this.exitReason !== null) return { kind: 'exit', reason: this.exitReason };
    if (this.pending !== null) return this.pending;
    return this.session.isStepOverdue ? { kind: 'stepTimeOver' } : null;
  }

  private start(command: Command): Command {
    this.isWorking = true;
    this.started = true;
    this.unacknowledged = command.kind === 'answer';
    this.mayReturn = false;
    this.pending = null;
    this.exitReason = null;
    this.cancelRequested = false;
    if (command.kind !== 'awaitBank') this.session.limitStep(null);
    return this.seq < MAX_STEPS ? command : { kind: 'tooManySteps' };
  }

  /**
   * Runs `work` until it ends or the user interrupts it. An interruption cancels the work but waits
   * for its result, because the cancellation may come too late; the result is returned either way.
   * `mayReturn` allows canceling once the soft reply is shown.
   */
  async interruptible<T>(
    work: () => Promise<T>,
    { mayReturn }: { mayReturn: boolean },
  ): Promise<{ interruption: Interruption | null; result: PromiseSettledResult<T> }> {
    this.mayReturn = mayReturn;
    this.details.waitFor(WAITS.bank(), { until: this.session.dueAt });
    const scope = new CancellationScope();
    let result: PromiseSettledResult<T> | undefined;
    void scope.run(work).then(
      (value) => {
        result = { status: 'fulfilled', value };
      },
      (reason: unknown) => {
        result = { status: 'rejected', reason };
      },
    );
    let interruption: Interruption | null = null;
    while (result === undefined) {
      if (interruption === null && this.interruption() !== null) {
        interruption = this.interruption();
        // Leaving the step answered it: its deadline must neither wake this loop again nor end the
        // next step.
        this.session.limitStep(null);
        scope.cancel();
      }
      await this.session.untilDue(
        () => result !== undefined || (interruption === null && this.interruption() !== null),
      );
    }
    if (interruption === 'cancel') this.cancelRequested = false;
    return { interruption, result };
  }

  private interruption(): Interruption | null {
    if (!this.session.isOpen) return 'over';
    if (this.exitReason !== null) return 'exit';
    if (this.cancelRequested) return 'cancel';
    return this.session.isStepOverdue ? 'stepTimeOver' : null;
  }

  // ---- what the user sees ----

  /**
   * Assigns a number to the step and lets `project` store it together with the change that leads to
   * it.
   */
  async showWith(
    content: { kind: StepKind; can_cancel?: boolean },
    project: (showing: NextStep) => Promise<Deadline>,
    { expiresInMs = null }: { expiresInMs?: number | null } = {},
  ): Promise<void> {
    this.seq += 1;
    const seq = this.seq;
    const accepted = this.unacknowledged;
    this.kind = content.kind;
    this.canCancel = content.can_cancel ?? false;
    this.unacknowledged = false;
    this.session.limitStep(expiresInMs);
    const deadline = await project({ sessionId: this.sessionId, seq, accepted });
    this.shown = Math.max(this.shown, seq);
    this.session.apply(deadline);
  }

  async show(content: WorkflowStep, error: StepBase['error'] = null): Promise<void> {
    await this.showWith(content, (showing) =>
      this.linking.showStep({ ...showing, content, error }),
    );
  }

  // ---- messages ----

  private async open(): Promise<ShownStep> {
    await this.untilRestored();
    if (this.started && this.shown > 0) return { seq: this.shown };
    if (!this.started && this.pending === null) this.pending = { kind: 'start' };
    return this.reply(this.shown);
  }

  private async submit(submission: StepSubmission): Promise<ShownStep> {
    await this.untilRestored();
    this.assertAcceptable(submission);
    if (submission.input.kind === 'wait') this.cancelRequested = true;
    else this.pending = { kind: 'answer', input: submission.input };
    return this.reply(submission.seq);
  }

  private async exit({ reason }: ExitRequest): Promise<ShownStep> {
    await this.untilRestored();
    if (!this.session.isOpen || !this.started) return { seq: this.shown };
    const before = this.shown;
    this.exitReason = reason;
    await condition(
      () =>
        !this.session.isOpen ||
        (this.exitReason === null && !this.isWorking && this.shown > before),
    );
    return { seq: this.shown };
  }

  private assertAcceptable({ seq, input }: StepSubmission): void {
    if (!this.session.isOpen)
      throw rejection('SessionClosed', 'The session has ended or is finished.');
    if (seq !== this.seq) throw rejection('StaleStep', 'The session shows another step.');
    const cancelsWork =
      input.kind === 'wait' && this.isWorking && this.canCancel && !this.cancelRequested;
    const busy = this.isWorking || this.pending !== null || this.exitReason !== null;
    if (busy && !cancelsWork) throw rejection('StepInProgress', 'An answer is being worked on.');
  }

  /**
   * connect 5, rule 5: work that takes longer than the soft reply time continues behind a `wait`
   * step.
   */
  private async reply(after: number): Promise<ShownStep> {
    const isShown = () => this.shown > after || !this.session.isOpen;
    if (!(await condition(isShown, this.softReplyMs, { summary: 'soft reply' }))) {
      if (this.seq === after)
        await this.show({
          kind: 'wait',
          stage: 'connecting',
          can_cancel: this.mayReturn && !this.cancelRequested,
        });
      await condition(isShown);
    }
    return { seq: this.shown };
  }

  private async untilRestored(): Promise<void> {
    await condition(() => this.restored);
    if (this.session.hasEnded) throw rejection('SessionClosed', 'The session has ended.');
  }

  /**
   * A message that is waiting when the workflow is canceled is rejected: the session is closed.
   */
  private async orSessionClosed(handler: () => Promise<ShownStep>): Promise<ShownStep> {
    try {
      return await handler();
    } catch (error) {
      if (isCancellation(error)) throw rejection('SessionClosed', 'The session was ended.');
      throw error;
    }
  }
}

function rejection(type: StepRejection, message: string): ApplicationFailure {
  return ApplicationFailure.create({ type, message, nonRetryable: true });
}
