import type { FaultReason } from '../../../domain/refresh/source-fault.js';
import { ProviderFailure, type ProviderCause } from '../../../domain/errors/provider-failure.js';
import { isUnreadable, notePart } from '../../http/read-scope.js';
import type { ProviderAccess } from '../../contract/provider.js';
import { ResourceRefused } from '../failure-table.js';

/** The collector of faults, and the accounts of the link. */
export type Noting = Pick<ProviderAccess, 'note' | 'knownAccounts' | 'accountFacts'>;

/** Ids of the link's accounts that a list omits. */
export function missingAccounts(
  listed: readonly { id: string }[],
  { knownAccounts = [] }: Noting,
): string[] {
  const ids = new Set(listed.map(({ id }) => id));
  return knownAccounts.filter((id) => !ids.has(id));
}

/** The outcomes of the calls for single accounts. */
export class AccountTally {
  /** Ids of accounts that the bank does not currently report on. */
  readonly unreported = new Set<string>();
  private readonly failures: ProviderFailure[] = [];
  private read = 0;
  /** The account before did not get a response in time. */
  private wasSilent = false;

  constructor(private readonly noting: Pick<Noting, 'note'>) {}

  /** The bank lists the account with an error instead of its data. */
  addFailed(accountId: string): void {
    this.unreported.add(accountId);
    this.failures.push(
      new ProviderFailure('institution_down', 'The bank could not read any account.'),
    );
  }

  /**
   * Runs the calls of one account.
   *
   * | Failure | Result |
   * |---|---|
   * | unreadable data | noted |
   * | `not_supported` | this account does not have such data |
   * | another refusal of the resource, a broken connection, silence | the bank does not report on this account |
   * | silence for two accounts in succession | the fetch ends: the bank is away |
   * | the permission has ended, the bank asks to wait, the token is not renewed | the fetch ends: this concerns every account |
   * @returns null in the first three cases
   */
  async attempt<T>(accountId: string, run: () => Promise<T>): Promise<T | null> {
    try {
      const result = await run();
      this.read += 1;
      this.wasSilent = false;
      return result;
    } catch (error) {
      if (!isOfOneAccount(error)) throw error;
      const isSilent = error.providerCause === 'institution_timeout';
      if (isSilent && this.wasSilent) throw error;
      this.wasSilent = isSilent;
      this.failures.push(error);
      if (isUnreadable(error))
        notePart({ scope: 'account', account: accountId, note: this.noting.note }, error);
      else if (error.providerCause !== 'not_supported') this.unreported.add(accountId);
      return null;
    }
  }

  /** Some accounts cannot be read, and others fail otherwise. */
  get isPartlyUnreadable(): boolean {
    return this.failures.some(isUnreadable) && !this.failures.every(isUnreadable);
  }

  /** Throws if no account could be read. */
  expectAny(): void {
    const [first] = this.read === 0 ? this.failures : [];
    // Prefers a failure of the bank to one that says an account does not have such data.
    if (first !== undefined)
      throw this.failures.find((it) => it.providerCause !== 'not_supported') ?? first;
  }
}

/**
 * Reads data of each account that has it. An account that fails keeps its stored data.
 * @throws ProviderFailure `not_supported` when no account has it
 */
export async function readOfEach<Account extends { id: string }, T>(
  accounts: readonly Account[],
  noting: Noting,
  run: (account: Account) => Promise<T>,
): Promise<{ id: string; result: T }[]> {
  const tally = new AccountTally(noting);
  const results: { id: string; result: T }[] = [];
  for (const account of accounts) {
    const result = await tally.attempt(account.id, () => run(account));
    if (result !== null) results.push({ id: account.id, result });
  }
  const missing = missingAccounts(accounts, noting);
  // If another account is unreadable or missing, it is unknown whether none has such data.
  if (!tally.isPartlyUnreadable && missing.length === 0) tally.expectAny();
  const note = (account: string, reason: FaultReason): void =>
    noting.note({ scope: 'account', account, resource: 'account', field: '', reason });
  for (const account of tally.unreported) note(account, 'refused');
  for (const account of missing) note(account, 'missing');
  return results;
}

/** Of the calls for one account, whichever server fails. */
const OF_ONE_ACCOUNT: readonly ProviderCause[] = [
  'institution_down',
  'institution_timeout',
  'not_supported',
];
/** Of the permission, or of the bank as a whole. */
const OF_ALL: readonly ProviderCause[] = ['consent_expired', 'rate_limited'];

const isOfOneAccount = (error: unknown): error is ProviderFailure =>
  isUnreadable(error) ||
  (error instanceof ResourceRefused && !OF_ALL.includes(error.providerCause)) ||
  (error instanceof ProviderFailure && OF_ONE_ACCOUNT.includes(error.providerCause));
