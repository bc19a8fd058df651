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
  OwnStep,
  SessionStanding,
  SessionState,
  Showing,
} from '../../activities/linking/session-state.js';
import type { StepBase, StepKind } from '../../domain/session/connect-step.js';
import { Alarm } from './alarm.js';
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

/** connect 4: at most so many steps in one session, so that no page can fill a history. */
export const MOST_STEPS = 60;

/**
 * The steps of one session as its workflow knows them: which is shown, whether its answer is being worked on, and when
 * to look at the clock. Shared by new links and relinks. The messages of Connect come in here; the story of the
 * workflow takes them one at a time from `next`.
 */
export class ConnectSteps {
  /** Last number given to a step, and last number known to be stored: connect 5, rule 1. */
  private seq = 0;
  private shown = 0;
  private canCancel = false;
  /** There is a step to return to from the work under way. */
  private mayReturn = false;
  private restored = false;
  /** The first step, or the login that stands for it, was begun. */
  private begun = false;
  /** A command was taken and the next step is not there yet. */
  private working = false;
  /** The command was an answer of the user, and no step has told the row so yet. */
  private unacknowledged = false;
  private waiting: Command | null = null;
  private exitReason: string | null = null;
  private cancelWanted = false;
  private state: SessionState = 'open';
  private exchanged = false;
  private lookAgainAt: number | null = null;
  private lastSeenLink: Deadline['link'] | undefined;
  private stepDueAt: number | null = null;
  private readonly alarm = new Alarm();

  constructor(
    private readonly sessionId: string,
    private readonly softReplyMs: number,
    private readonly linking: Pick<LinkingActivities, 'loadSession' | 'expireIfDue' | 'showStep'>,
    /** What can still happen after success: the exchange of a token, or nothing. */
    private after: 'exchange' | 'nothing' = 'exchange',
  ) {}

  /** Call it before the first await of the workflow. */
  listen(): void {
    setHandler(openSessionUpdate, () => this.answering(() => this.open()));
    setHandler(submitStepUpdate, (submission) => this.answering(() => this.submit(submission)), {
      validator: (submission) => {
        if (this.restored) this.refuse(submission);
      },
    });
    setHandler(exitUpdate, (request) => this.answering(() => this.exit(request)));
    setHandler(exchangedSignal, () => {
      this.exchanged = true;
    });
    setHandler(endedSignal, () => {
      this.end();
    });
  }

  /** Reads where the row is; null = there is no such session. */
  async restore(): Promise<SessionStanding | null> {
    const standing = await this.linking.loadSession(this.sessionId);
    if (standing === null) {
      this.end();
      return null;
    }
    this.seq = this.shown = standing.seq;
    this.begun = standing.stepKind !== null;
    if (standing.state === 'succeeded' && standing.extension === 'chosen') this.expectNoExchange();
    // A run from before knows no limit of the step.
    const { stepExpiresInMs = null } = standing as Partial<SessionStanding>;
    this.stepDueAt = stepExpiresInMs === null ? null : Date.now() + stepExpiresInMs;
    await this.checkDeadlines();
    return standing;
  }

  /** From here on messages are answered. */
  ready(): void {
    this.restored = true;
  }

  /** `succeeded` = and there is nothing to exchange. */
  get outcome(): 'exchanged' | 'succeeded' | 'ended' {
    if (this.exchanged) return 'exchanged';
    return this.hasSucceeded ? 'succeeded' : 'ended';
  }

  get hasSucceeded(): boolean {
    return this.state === 'succeeded';
  }

  /**
   * As the row had it when it was looked at last; the exchange, or a deletion, may have come without a word. Null = the
   * session has none, undefined = nobody has looked.
   */
  get link(): Deadline['link'] | undefined {
    return this.lastSeenLink;
  }

  get isOpen(): boolean {
    return this.state === 'open' && !this.exchanged;
  }

  /** The number of the step that is shown, or about to be. */
  get current(): number {
    return this.seq;
  }

  end(): void {
    this.state = 'ended';
    // Whatever ended it has changed the link too, and nobody has looked since.
    this.lastSeenLink = undefined;
    this.lookAgainAt = null;
  }

  /** Success has extended a link, and gives no token. */
  expectNoExchange(): void {
    this.after = 'nothing';
  }

  /** The next opening begins anew: a session for one bank must not log in while nobody looks. */
  awaitOpening(): void {
    this.begun = false;
  }

  /** The first thing to do, before any answer of the user. */
  beginWith(command: Extract<Command, { kind: 'awaitBank' }>): void {
    this.waiting = command;
    this.canCancel = true;
  }

  // ---- the order of work ---------------------------------------------------------------------------------------

  /** Waits for the user or the clock; null = nothing more can happen to the session or its token. */
  async next(): Promise<Command | null> {
    this.working = false;
    for (;;) {
      if (this.exchanged || this.isOver()) return null;
      const command = this.isOpen ? this.wanted() : null;
      if (command !== null) return this.take(command);
      // Just what this loop goes on with: woken by anything else it would spin, as the window of the exchange may outlast the session.
      await this.untilDue(
        () => this.exchanged || this.isOver() || (this.isOpen && this.wanted() !== null),
      );
    }
  }

  private isOver(): boolean {
    if (this.state === 'succeeded') return this.after === 'nothing';
    return this.state === 'ended' && (this.lookAgainAt === null || this.after === 'nothing');
  }

  private wanted(): Command | null {
    if (this.exitReason !== null) return { kind: 'exit', reason: this.exitReason };
    if (this.waiting !== null) return this.waiting;
    return this.stepDueAt !== null && Date.now() >= this.stepDueAt
      ? { kind: 'stepTimeOver' }
      : null;
  }

  private take(command: Command): Command {
    this.working = true;
    this.begun = true;
    this.unacknowledged = command.kind === 'answer';
    this.mayReturn = false;
    this.waiting = null;
    this.exitReason = null;
    this.cancelWanted = false;
    if (command.kind !== 'awaitBank') this.stepDueAt = null;
    return this.seq < MOST_STEPS ? command : { kind: 'tooManySteps' };
  }

  /**
   * Runs `work` so that the user may leave it. Then it is cancelled and its end is awaited, since the cancellation may
   * come too late: what `work` ended with is told either way. `mayReturn` offers a cancel behind the soft reply.
   */
  async interruptible<T>(
    work: () => Promise<T>,
    { mayReturn }: { mayReturn: boolean },
  ): Promise<{ interruption: Interruption | null; result: PromiseSettledResult<T> }> {
    this.mayReturn = mayReturn;
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
        // The step was answered by leaving it: its time must neither wake this loop again nor end what comes next.
        this.stepDueAt = null;
        scope.cancel();
      }
      await this.untilDue(
        () => result !== undefined || (interruption === null && this.interruption() !== null),
      );
    }
    if (interruption === 'cancel') this.cancelWanted = false;
    return { interruption, result };
  }

  private interruption(): Interruption | null {
    if (!this.isOpen) return 'over';
    if (this.exitReason !== null) return 'exit';
    if (this.cancelWanted) return 'cancel';
    return this.stepDueAt !== null && Date.now() >= this.stepDueAt ? 'stepTimeOver' : null;
  }

  /** Waits for `happened`, or until a deadline has passed and was applied. May return early: its callers look again. */
  private async untilDue(happened: () => boolean): Promise<void> {
    const due = [this.lookAgainAt, this.stepDueAt].filter((time) => time !== null);
    if (due.length === 0) return condition(happened);
    this.alarm.ringAt(Math.min(...due));
    await condition(() => this.alarm.hasRung || happened());
    if (!happened() && this.lookAgainAt !== null && Date.now() >= this.lookAgainAt)
      await this.checkDeadlines();
  }

  /** Whatever time has brought is in the row: a deadline may have moved, or somebody else has applied it. */
  async checkDeadlines(): Promise<void> {
    this.look(await this.linking.expireIfDue(this.sessionId));
  }

  private look({ state, lookAgainInMs, link }: Deadline): void {
    if (link !== undefined) this.lastSeenLink = link;
    if (this.state === 'ended' && state !== 'ended') return;
    this.state = state;
    this.lookAgainAt = lookAgainInMs === null ? null : Date.now() + lookAgainInMs;
  }

  // ---- what the user sees --------------------------------------------------------------------------------------

  /** Gives the step its number and lets `project` store it, together with the change that leads to it. */
  async showBy(
    content: { kind: StepKind; can_cancel?: boolean },
    project: (showing: Showing) => Promise<Deadline>,
    { expiresInMs = null }: { expiresInMs?: number | null } = {},
  ): Promise<void> {
    this.seq += 1;
    const seq = this.seq;
    const accepted = this.unacknowledged;
    this.canCancel = content.can_cancel ?? false;
    this.unacknowledged = false;
    this.stepDueAt = expiresInMs === null ? null : Date.now() + expiresInMs;
    const deadline = await project({ sessionId: this.sessionId, seq, accepted });
    this.shown = Math.max(this.shown, seq);
    this.look(deadline);
  }

  async show(content: OwnStep, error: StepBase['error'] = null): Promise<void> {
    await this.showBy(content, (showing) => this.linking.showStep({ ...showing, content, error }));
  }

  // ---- messages ------------------------------------------------------------------------------------------------

  private async open(): Promise<ShownStep> {
    await this.untilRestored();
    if (this.begun && this.shown > 0) return { seq: this.shown };
    if (!this.begun && this.waiting === null) this.waiting = { kind: 'start' };
    return this.reply(this.shown);
  }

  private async submit(submission: StepSubmission): Promise<ShownStep> {
    await this.untilRestored();
    this.refuse(submission);
    if (submission.input.kind === 'wait') this.cancelWanted = true;
    else this.waiting = { kind: 'answer', input: submission.input };
    return this.reply(submission.seq);
  }

  private async exit({ reason }: ExitRequest): Promise<ShownStep> {
    await this.untilRestored();
    if (!this.isOpen || !this.begun) return { seq: this.shown };
    const before = this.shown;
    this.exitReason = reason;
    await condition(
      () => !this.isOpen || (this.exitReason === null && !this.working && this.shown > before),
    );
    return { seq: this.shown };
  }

  private refuse({ seq, input }: StepSubmission): void {
    if (!this.isOpen) throw rejection('SessionClosed', 'The session has ended or is finished.');
    if (seq !== this.seq) throw rejection('StaleStep', 'The session shows another step.');
    const cancelsWork =
      input.kind === 'wait' && this.working && this.canCancel && !this.cancelWanted;
    const busy = this.working || this.waiting !== null || this.exitReason !== null;
    if (busy && !cancelsWork) throw rejection('StepInProgress', 'An answer is being worked on.');
  }

  /** connect 5, rule 5: whatever takes longer than the soft reply goes on behind a `wait` step. */
  private async reply(after: number): Promise<ShownStep> {
    const there = () => this.shown > after || !this.isOpen;
    if (!(await condition(there, this.softReplyMs, { summary: 'soft reply' }))) {
      if (this.seq === after)
        await this.show({
          kind: 'wait',
          stage: 'connecting',
          can_cancel: this.mayReturn && !this.cancelWanted,
        });
      await condition(there);
    }
    return { seq: this.shown };
  }

  private async untilRestored(): Promise<void> {
    await condition(() => this.restored);
    if (this.state === 'ended') throw rejection('SessionClosed', 'The session has ended.');
  }

  /** Whoever waits when the workflow is cancelled hears that the session is over. */
  private async answering(handler: () => Promise<ShownStep>): Promise<ShownStep> {
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
