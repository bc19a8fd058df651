import { ProviderFailure } from '../../../../domain/errors/provider-failure.js';
import type { Provider, ProviderAccess } from '../../../../providers/contract/provider.js';
import { account, row } from '../../../support/fixtures/stored-link.js';
import { GENEROUS_FACTS } from '../../../support/fixtures/provider-calls.js';

export const START = new Date('2026-03-02T00:00:00.000Z');
const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/**
 * A bank by the clock of its world. It counts the uses of its faults by fetches, not by attempts.
 */
export class BankByTheClock {
  /** The product and the time of every fetch. */
  readonly fetches: string[] = [];
  private readonly struck = new Set<string>();

  constructor(
    private readonly faults: { product: string; count: number }[],
    private readonly permissionEnd: Date | null,
  ) {}

  /** `step` is called before each of its responses. */
  provider(step: () => Promise<void>): Provider {
    const { answerAccounts, answerRows, permissionEnd } = this;
    const provider: Partial<Provider> = {
      name: 'sandbox',
      facts: GENEROUS_FACTS,
      fetchAccounts: async (access) => {
        await step();
        return { accounts: answerAccounts(access), unreported: [] };
      },
      async *fetchTransactions(access) {
        await step();
        yield { transactions: answerRows(access) };
      },
    };
    return {
      ...provider,
      fetchPermissionEnd: () => Promise.resolve(permissionEnd),
    } as unknown as Provider;
  }

  private readonly answerAccounts = (access: ProviderAccess) =>
    this.answer('accounts', access, (day) => [
      account('checking', { name: `Checking on ${day.toISOString().slice(0, 10)}` }),
    ]);

  /** One row is new every twelve hours, and is pending for a day. */
  private readonly answerRows = (access: ProviderAccess) =>
    this.answer('transactions', access, (now) => {
      const made = Math.floor((now.getTime() - START.getTime()) / (12 * HOUR_MS)) + 3;
      return Array.from({ length: made }, (_, index) =>
        row(`t${index}`, {
          date: '2026-03-01',
          description: `row ${index}`,
          pending: index > made - 3,
        }),
      );
    });

  private answer<T>(
    product: string,
    { fetchKey, worldTime }: ProviderAccess,
    make: (now: Date) => T,
  ): T {
    if (!worldTime) throw new Error('the fetch has no time of the world');
    this.fetches.push(`${product} ${worldTime.toISOString()}`);
    const fault = this.faults.find(
      (each) =>
        each.product === product &&
        (each.count > 0 || this.struck.has(`${product}/${fetchKey ?? ''}`)),
    );
    if (fault === undefined) return make(worldTime);
    if (!this.struck.has(`${product}/${fetchKey ?? ''}`)) {
      if (fault.count === 0) return make(worldTime);
      fault.count -= 1;
      this.struck.add(`${product}/${fetchKey ?? ''}`);
    }
    throw new ProviderFailure('institution_down', 'The bank is down.');
  }
}
