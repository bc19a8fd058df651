import { ProviderFailure, type ProviderCause } from '../../../domain/errors/provider-failure.js';

/** What happened to the calls for single accounts. */
export class AccountTally {
  /** Ids of accounts of which the bank says nothing at the moment. */
  readonly unreported = new Set<string>();
  private readonly failures: ProviderFailure[] = [];
  private read = 0;

  /** The bank lists the account with an error instead of its data. */
  addFailed(accountId: string): void {
    this.unreported.add(accountId);
    this.failures.push(new ProviderFailure('institution_down', 'The bank reads no account.'));
  }

  /**
   * Runs the calls of one account. A bank that fails for one account says nothing of it, and
   * `not_supported` means that this account has no such data; every other failure ends the fetch.
   * @returns null in both cases
   */
  async attempt<T>(accountId: string, run: () => Promise<T>): Promise<T | null> {
    try {
      const result = await run();
      this.read += 1;
      return result;
    } catch (error) {
      if (!isOfOneAccount(error)) throw error;
      this.failures.push(error);
      if (error.provider_cause === 'institution_down') this.unreported.add(accountId);
      return null;
    }
  }

  /** Throws if no account could be read. */
  expectAny(): void {
    if (this.read === 0) this.expectNoFailure();
  }

  /** Throws a failure of the bank rather than that an account has no such data. */
  expectNoFailure(): void {
    const [first] = this.failures;
    const failure = this.failures.find((it) => it.provider_cause === 'institution_down') ?? first;
    if (failure !== undefined) throw failure;
  }
}

/**
 * Reads something of each account that has it. An account that fails is a failure of all: what is
 * not returned counts as gone.
 * @throws ProviderFailure `not_supported` when no account has it
 */
export async function readOfEach<T>(
  accounts: readonly { id: string }[],
  run: (account: { id: string }) => Promise<T>,
): Promise<{ id: string; result: T }[]> {
  const tally = new AccountTally();
  const results: { id: string; result: T }[] = [];
  for (const account of accounts) {
    const result = await tally.attempt(account.id, () => run(account));
    if (result !== null) results.push({ id: account.id, result });
  }
  if (tally.unreported.size > 0 || results.length === 0) tally.expectNoFailure();
  return results;
}

const OF_ONE_ACCOUNT: readonly ProviderCause[] = ['institution_down', 'not_supported'];

const isOfOneAccount = (error: unknown): error is ProviderFailure =>
  error instanceof ProviderFailure && OF_ONE_ACCOUNT.includes(error.provider_cause);
