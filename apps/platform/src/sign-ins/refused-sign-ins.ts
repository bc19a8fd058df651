import type { OperatorAction } from '../../../../prisma/base/operator-actions/operator-action.repository.js';
import { addressBlock } from '../limits/address-block.js';
import type { Logger } from '../logging/logger.js';

export interface RefusedSignIn {
  /** The client id of a known app, else `unknown`: the claimed name of a caller is not recorded. */
  actor: string;
  door: 'key_pair' | 'codec';
  address: string;
  /** A constant text. */
  reason: string;
}

export interface RefusedSignInsOptions {
  record: (action: OperatorAction) => Promise<void>;
  logger: Pick<Logger, 'warn'>;
  windowMs?: number;
  /** Kinds that are recorded separately in a window. */
  maxKinds?: number;
}

/** The kinds beyond `maxKinds`. */
const OTHERS: RefusedSignIn = {
  actor: 'unknown',
  door: 'key_pair',
  address: 'many addresses',
  reason: 'too many different ones to list',
};

/**
 * Records refused sign-ins without letting a stranger fill the table or the log: the first of its kind (actor, door,
 * address, reason) immediately, the others of the same minute as one number at its end, and few kinds a minute.
 */
export class RefusedSignIns {
  private readonly kinds = new Map<string, { refusal: RefusedSignIn; more: number }>();
  private timer: NodeJS.Timeout | undefined;
  private pending: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: RefusedSignInsOptions) {}

  note(refusal: RefusedSignIn): void {
    const { windowMs = 60_000, maxKinds = 10 } = this.options;
    this.timer ??= setTimeout(() => this.endWindow(), windowMs).unref();
    const seen = { ...refusal, address: addressBlock(refusal.address) };
    const name = JSON.stringify(Object.values(seen));
    const isListed = this.kinds.has(name) || this.kinds.size < maxKinds;
    const [key, kind] = isListed ? [name, seen] : ['others', OTHERS];
    const known = this.kinds.get(key);
    if (known !== undefined) known.more += 1;
    else {
      this.kinds.set(key, { refusal: kind, more: 0 });
      this.write(kind, 1);
    }
  }

  /** Writes the pending counts. */
  async close(): Promise<void> {
    clearTimeout(this.timer);
    this.endWindow();
    await this.pending;
  }

  private endWindow(): void {
    this.timer = undefined;
    for (const { refusal, more } of this.kinds.values()) if (more > 0) this.write(refusal, more);
    this.kinds.clear();
  }

  private write({ actor, door, address, reason }: RefusedSignIn, times: number): void {
    const { logger, record } = this.options;
    logger.warn({ actor, kind: door, address, reason, times }, 'audit.sign_in_refused');
    const subject = `${door} from ${address}: ${reason}${times === 1 ? '' : `, ${times} times`}`;
    const row = record({ actor, action: 'sign_in', subject, outcome: 'refused' });
    // The line is written, and the caller waits for neither.
    this.pending = Promise.all([this.pending, row.catch(() => undefined)]);
  }
}
