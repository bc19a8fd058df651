export interface PollLoopOptions {
  /** Looks for work once. @returns true when more may be ready immediately */
  work: () => Promise<boolean>;
  pollMs: number;
  /** A pause follows a failed round, even if the loop is woken. */
  onError: (error: unknown) => void;
}

/** Looks for work when woken by a notification, and at least every `pollMs`: a lost notification costs at most that time. */
export class PollLoop {
  private stopping = false;
  private woken = false;
  private endPause = nothing;
  private running: Promise<void> | undefined;

  constructor(private readonly options: PollLoopOptions) {}

  start(): void {
    this.running ??= this.run();
  }

  wake(): void {
    this.woken = true;
    this.endPause();
  }

  /** Resolves when the current round has finished. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.endPause();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      this.woken = false;
      const round = await this.round();
      if (round === 'more' || (round === 'empty' && this.woken)) continue;
      await this.pause(round === 'failed');
    }
  }

  private async round(): Promise<'more' | 'empty' | 'failed'> {
    try {
      return (await this.options.work()) ? 'more' : 'empty';
    } catch (error) {
      this.options.onError(error);
      return 'failed';
    }
  }

  private async pause(afterFailure: boolean): Promise<void> {
    if (this.stopping) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.options.pollMs);
      this.endPause = () => {
        if (afterFailure && !this.stopping) return;
        clearTimeout(timer);
        resolve();
      };
    });
    this.endPause = nothing;
  }
}

function nothing(): void {}
