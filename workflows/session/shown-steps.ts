import type { LinkingActivities } from '../../activities/linking/linking-activities.js';
import type { Deadline, NextStep } from '../../activities/linking/session-state.js';
import type { Deadlines } from './deadlines.js';

/** The steps that a session shows, by number. connect 5, rule 1. */
export class ShownSteps {
  /** The last number assigned, and the last number known to be stored. */
  private seq = 0;
  private stored = 0;
  /** An answer of the user that no stored step has acknowledged yet. */
  private unacknowledged = false;
  private cancelable = false;

  constructor(
    private readonly sessionId: string,
    private readonly linking: Pick<LinkingActivities, 'showStep'>,
    private readonly deadlines: Deadlines,
  ) {}

  /** The number of the step that is shown or about to be. */
  get current(): number {
    return this.seq;
  }

  /** The number of the step that is shown. */
  get shown(): number {
    return this.stored;
  }

  /** The step offers to cancel the work behind it. */
  get canCancel(): boolean {
    return this.cancelable;
  }

  /** Continues with the step of the row. */
  restore(seq: number, { canCancel }: { canCancel: boolean }): void {
    this.seq = this.stored = seq;
    this.cancelable = canCancel;
  }

  /** `isAnswer`: the next step acknowledges an answer, which extends the session (link-lifecycle 3). */
  acknowledge({ isAnswer }: { isAnswer: boolean }): void {
    this.unacknowledged = isAnswer;
  }

  /**
   * Assigns a number to the step and lets `project` store it together with the change that leads to
   * it.
   */
  async showWith(
    project: (showing: NextStep) => Promise<Deadline>,
    {
      canCancel = false,
      expiresInMs = null,
    }: { canCancel?: boolean; expiresInMs?: number | null } = {},
  ): Promise<void> {
    this.seq += 1;
    const { seq, unacknowledged: accepted, sessionId } = this;
    this.cancelable = canCancel;
    this.unacknowledged = false;
    this.deadlines.limitStep(expiresInMs);
    const deadline = await project({ sessionId, seq, accepted });
    this.stored = Math.max(this.stored, seq);
    this.deadlines.apply(deadline);
  }

  /** connect 5, rule 5: the soft reply. */
  async showWait({ canCancel }: { canCancel: boolean }): Promise<void> {
    await this.showWith(
      (showing) =>
        this.linking.showStep({
          ...showing,
          content: { kind: 'wait', stage: 'connecting', can_cancel: canCancel },
          error: null,
        }),
      { canCancel },
    );
  }
}
