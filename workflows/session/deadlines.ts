import { CancellationScope, condition, sleep } from '@temporalio/workflow';
import type { LinkingActivities } from '../../activities/linking/linking-activities.js';
import type { Deadline, SessionState } from '../../activities/linking/session-state.js';

/** The time limits of a session and of its step, and the facts last read from its row. */
export class Deadlines {
  private row: SessionState = 'open';
  private lookAgainAt: number | null = null;
  private stepDueAt: number | null = null;
  private lastSeenLink: Deadline['link'] | undefined;
  /**
   * One timer for all deadlines. They usually move later, and one early wake-up adds less history
   * than a new timer per step.
   */
  private alarm: { at: number; scope: CancellationScope } | null = null;

  constructor(
    private readonly sessionId: string,
    private readonly linking: Pick<LinkingActivities, 'expireIfDue'>,
  ) {}

  get state(): SessionState {
    return this.row;
  }

  /** The session has expired and its exchange, which may outlast it, has no deadline left. */
  get isTimeOver(): boolean {
    return this.row === 'ended' && this.lookAgainAt === null;
  }

  /** The time of the next deadline; null = there is none. */
  get dueAt(): number | null {
    const due = [this.lookAgainAt, this.stepDueAt].filter((time) => time !== null);
    return due.length === 0 ? null : Math.min(...due);
  }

  get isStepOverdue(): boolean {
    return this.stepDueAt !== null && Date.now() >= this.stepDueAt;
  }

  /**
   * The link as last read from the row, since an exchange or deletion may send no signal. Null =
   * the session has no link, undefined = not read yet.
   */
  get link(): Deadline['link'] | undefined {
    return this.lastSeenLink;
  }

  /** The session was ended elsewhere, which also changed its link. */
  end(): void {
    this.row = 'ended';
    this.lookAgainAt = null;
    this.lastSeenLink = undefined;
  }

  /** Starts the time limit of a step; null = it has none. */
  limitStep(expiresInMs: number | null): void {
    this.stepDueAt = expiresInMs === null ? null : Date.now() + expiresInMs;
  }

  /**
   * Waits for `happened`, or until a deadline has passed and was applied. May return early, so
   * callers check again.
   */
  async untilDue(happened: () => boolean): Promise<void> {
    const { dueAt } = this;
    if (dueAt === null) return condition(happened);
    this.ringAt(dueAt);
    await condition(() => this.alarm === null || happened());
    if (!happened() && this.lookAgainAt !== null && Date.now() >= this.lookAgainAt)
      await this.check();
  }

  /** The row decides: a deadline may have moved or been applied elsewhere. */
  async check(): Promise<void> {
    this.apply(await this.linking.expireIfDue(this.sessionId));
  }

  apply({ state, lookAgainInMs, link }: Deadline): void {
    if (link !== undefined) this.lastSeenLink = link;
    if (this.row === 'ended' && state !== 'ended') return;
    this.row = state;
    this.lookAgainAt = lookAgainInMs === null ? null : Date.now() + lookAgainInMs;
  }

  private ringAt(at: number): void {
    if (this.alarm !== null && this.alarm.at <= at) return;
    this.alarm?.scope.cancel();
    const alarm = { at, scope: new CancellationScope() };
    this.alarm = alarm;
    void alarm.scope
      .run(() => sleep(Math.max(1, at - Date.now()), { summary: 'until the next deadline' }))
      .then(
        () => {
          if (this.alarm === alarm) this.alarm = null;
        },
        () => undefined,
      );
  }
}
