import { condition } from '@temporalio/workflow';
import type { LinkingActivities } from '../../activities/linking/linking-activities.js';
import type { Deadline, SessionState } from '../../activities/linking/session-state.js';
import { Alarm } from './alarm.js';

/** How far a session is, as last read from its row, and when its next deadline is. */
export class SessionClock {
  private state: SessionState = 'open';
  private exchanged = false;
  private lookAgainAt: number | null = null;
  private lastSeenLink: Deadline['link'] | undefined;
  private stepDueAt: number | null = null;
  private readonly alarm = new Alarm();

  constructor(
    private readonly sessionId: string,
    private readonly linking: Pick<LinkingActivities, 'expireIfDue'>,
    /** What can still happen after success: the exchange of a token, or nothing. */
    private after: 'exchange' | 'nothing',
  ) {}

  /** `succeeded`: without a token to exchange. */
  get outcome(): 'exchanged' | 'succeeded' | 'ended' {
    if (this.exchanged) return 'exchanged';
    return this.hasSucceeded ? 'succeeded' : 'ended';
  }

  get hasSucceeded(): boolean {
    return this.state === 'succeeded';
  }

  get hasEnded(): boolean {
    return this.state === 'ended';
  }

  get isOpen(): boolean {
    return this.state === 'open' && !this.exchanged;
  }

  /** Nothing more can happen to the session or its token. */
  get isOver(): boolean {
    if (this.exchanged) return true;
    if (this.state === 'succeeded') return this.after === 'nothing';
    return this.state === 'ended' && (this.lookAgainAt === null || this.after === 'nothing');
  }

  /** When the next deadline is; null = there is none. */
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

  recordExchange(): void {
    this.exchanged = true;
  }

  end(): void {
    this.state = 'ended';
    // Whatever ended the session changed its link, too, and the link has not been read since.
    this.lastSeenLink = undefined;
    this.lookAgainAt = null;
  }

  /** Success extended an existing link and issues no token. */
  expectNoExchange(): void {
    this.after = 'nothing';
  }

  /** Starts the time limit of a step; null = it has none. */
  limitStep(expiresInMs: number | null): void {
    this.stepDueAt = expiresInMs === null ? null : Date.now() + expiresInMs;
  }

  /**
   * Waits for `happened`, or until a deadline has passed and was applied. May return early; callers
   * check again.
   */
  async untilDue(happened: () => boolean): Promise<void> {
    const { dueAt } = this;
    if (dueAt === null) return condition(happened);
    this.alarm.ringAt(dueAt);
    await condition(() => this.alarm.hasRung || happened());
    if (!happened() && this.lookAgainAt !== null && Date.now() >= this.lookAgainAt)
      await this.checkDeadlines();
  }

  /** The row decides: a deadline may have moved or been applied elsewhere. */
  async checkDeadlines(): Promise<void> {
    this.apply(await this.linking.expireIfDue(this.sessionId));
  }

  apply({ state, lookAgainInMs, link }: Deadline): void {
    if (link !== undefined) this.lastSeenLink = link;
    if (this.state === 'ended' && state !== 'ended') return;
    this.state = state;
    this.lookAgainAt = lookAgainInMs === null ? null : Date.now() + lookAgainInMs;
  }
}
