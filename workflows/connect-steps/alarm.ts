import { CancellationScope, sleep } from '@temporalio/workflow';

/**
 * One timer for all deadlines. Deadlines usually move later, and one early wake-up adds less
 * history than a new timer per step.
 */
export class Alarm {
  private set: { at: number; scope: CancellationScope } | null = null;

  get hasRung(): boolean {
    return this.set === null;
  }

  ringAt(at: number): void {
    if (this.set !== null && this.set.at <= at) return;
    this.set?.scope.cancel();
    const set = { at, scope: new CancellationScope() };
    this.set = set;
    void set.scope
      .run(() => sleep(Math.max(1, at - Date.now()), { summary: 'until the next deadline' }))
      .then(
        () => {
          if (this.set === set) this.set = null;
        },
        () => undefined,
      );
  }
}
