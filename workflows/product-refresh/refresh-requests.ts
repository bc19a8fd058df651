/** About a thousand history events. */
const MAX_TAKEN = 50;

/**
 * Whether request rows wait, and how often this execution has taken them. A link that is refreshed
 * continuously reaches the limit; then the next execution continues with the rows that wait, and
 * nothing has to be carried over.
 */
export class RefreshRequests {
  waiting = true;
  private taken = 0;

  take(): void {
    this.waiting = false;
    this.taken += 1;
  }

  areForNextExecution(): boolean {
    return this.taken >= MAX_TAKEN;
  }
}
