/** About a thousand history events. */
const MAX_TAKEN = 50;

/**
 * The presence of waiting request rows, and the number of times this execution has collected them.
 * A link that is refreshed continuously reaches the limit; then the next execution continues with
 * the waiting rows, and no state has to be carried over.
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
