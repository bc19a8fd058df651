import { ApiError } from '../../../../domain/errors/api-errors.js';
import type { RateLimit } from '../../../platform/src/config/setting-parsers.js';

/** The budget of one address. */
interface AddressBudget {
  /** Number of further failures allowed; each check in progress reserves one. */
  left: number;
  filledAt: number;
  inProgress: number;
  /** Checks that start once one in progress succeeds, or are rejected once all have failed. */
  waiting: (() => void)[];
}

const MAX_ADDRESSES = 10_000;

/**
 * Limits how many checks may fail per address, in this process. A check reserves one failure before
 * it starts and returns it on success, so a burst cannot start more checks than may fail. With none
 * left, a check waits for those in progress instead of being rejected, so a valid burst of any size
 * succeeds.
 */
export class FailedChecks {
  private readonly accounts = new Map<string, AddressBudget>();

  constructor(
    private readonly limit: RateLimit | 'off',
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * @param check resolves to null when the check failed; an exception does not count as a failure.
   * @throws ApiError when the limit is reached
   */
  async run<T>(address: string, check: () => Promise<T | null>): Promise<T | null> {
    if (this.limit === 'off') return check();
    const account = this.accountOf(address, this.limit);
    while (account.left < 1) {
      if (account.inProgress === 0)
        throw tooManyFailures((1 - account.left) / this.limit.perSecond);
      await new Promise<void>((resolve) => account.waiting.push(resolve));
    }
    account.left -= 1;
    account.inProgress += 1;
    let hasFailed = false;
    try {
      const result = await check();
      hasFailed = result === null;
      return result;
    } finally {
      account.inProgress -= 1;
      if (!hasFailed) account.left = Math.min(this.limit.burst, account.left + 1);
      wake(account);
    }
  }

  private accountOf(address: string, { perSecond, burst }: RateLimit): AddressBudget {
    const now = this.now();
    const account = this.accounts.get(address) ?? {
      left: burst,
      filledAt: now,
      inProgress: 0,
      waiting: [],
    };
    // Reservations of checks in progress are not refilled.
    const available = burst - account.inProgress;
    account.left = Math.min(
      available,
      account.left + ((now - account.filledAt) / 1000) * perSecond,
    );
    account.filledAt = now;
    // Re-inserting keeps the addresses in order of use, so the first one is evicted.
    this.accounts.delete(address);
    this.accounts.set(address, account);
    const [leastUsed] = this.accounts.keys();
    if (this.accounts.size > MAX_ADDRESSES && leastUsed !== undefined)
      this.accounts.delete(leastUsed);
    return account;
  }
}

/**
 * The checks that may start now; all of them when nothing is left to wait for, so that they are
 * rejected.
 */
function wake({ left, inProgress, waiting }: AddressBudget): void {
  const woken = inProgress === 0 ? waiting.length : Math.floor(left);
  for (const begin of waiting.splice(0, woken)) begin();
}

function tooManyFailures(retryAfterSeconds: number): ApiError {
  const message = 'Too many wrong key pairs came from this address.';
  return new ApiError('api_error.rate_limit_exceeded', { message, retryAfterSeconds });
}
