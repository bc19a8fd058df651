import type { AppBackEnd } from '../actors/link-journey.js';

/** 36 a second. The users of the same traffic make the rest of 40. */
const READ_EVERY_MS = 28;
const USER_EVERY_MS = 1_500;
/**
 * The users who wait for an unavailable part. Beyond it no further one starts, so that a slow
 * computer keeps up.
 */
const MAX_USERS = 3;

export interface TrafficOptions {
  app: AppBackEnd;
  /** The link that is read. */
  linkId: string;
  /** One user: links a bank. @returns the id of the link */
  linkBank: () => Promise<string>;
}

/** An app that reads all the time, while users link banks: about 40 requests a second. */
export class Traffic {
  /** The failures, in words. */
  readonly failures: string[] = [];
  /** Links of users who have finished. */
  readonly linked: string[] = [];
  reads = 0;
  private readonly pending = new Set<Promise<void>>();
  private users = 0;
  private readonly timers: NodeJS.Timeout[];

  private constructor(private readonly options: TrafficOptions) {
    this.timers = [
      setInterval(() => this.keep('read', this.read()), READ_EVERY_MS),
      setInterval(() => {
        if (this.users < MAX_USERS) this.keep('user', this.linkBank());
      }, USER_EVERY_MS),
    ];
  }

  static start(options: TrafficOptions): Traffic {
    return new Traffic(options);
  }

  /** Waits until everything that was started has finished. */
  async stop(): Promise<void> {
    this.timers.forEach(clearInterval);
    await Promise.all(this.pending);
  }

  private keep(name: string, work: Promise<void>): void {
    const done = work.catch((error: unknown) => {
      this.failures.push(`${name}: ${(error as Error).message}`);
    });
    this.pending.add(done);
    void done.finally(() => this.pending.delete(done));
  }

  private async read(): Promise<void> {
    const { app, linkId } = this.options;
    const paths = ['/institutions', `/links/${linkId}`, `/links/${linkId}/transactions/sync`];
    const path = paths[(this.reads += 1) % paths.length] ?? '';
    const { status } = await app.call('GET', path);
    if (status !== 200) throw new Error(`GET ${path} returned ${status}`);
  }

  private async linkBank(): Promise<void> {
    this.users += 1;
    try {
      this.linked.push(await this.options.linkBank());
    } finally {
      this.users -= 1;
    }
  }
}
