import { patched } from '@temporalio/workflow';

/** About a thousand events of history. */
const MAX_TAKEN = 50;

/**
 * Whether rows of requests wait, and how often this execution has taken them. Of a link that is refreshed without
 * pause it takes so many, and the next execution goes on with what waits: the rows are all there is to carry over.
 */
export class RefreshRequests {
  waiting = true;
  private taken = 0;

  take(): void {
    this.waiting = false;
    this.taken += 1;
  }

  /** Executions recorded before there was a limit go on as they did. */
  areForNextExecution(): boolean {
    return this.taken >= MAX_TAKEN && patched('bounded-refresh-history');
  }
}
