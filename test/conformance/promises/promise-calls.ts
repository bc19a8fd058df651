import { randomUUID } from 'node:crypto';
import type { Product } from '../../../domain/link/products.js';
import type {
  LoginContext,
  Provider,
  ProviderAccess,
  ProviderTransaction,
  TransactionWindow,
} from '../../../providers/contract/provider.js';
import { accessWith, loginContext, PRESENT_USER } from '../../support/fixtures/provider-calls.js';
import type { ConformanceLogin, ConformanceTarget } from '../targets.js';

const DAY_MS = 86_400_000;
export const neverAborted = new AbortController().signal;

/** The calls that promises make to a provider, with a login at one of its institutions. */
export class PromiseCalls {
  constructor(
    private readonly name: string,
    readonly login: ConformanceLogin,
    readonly target: () => ConformanceTarget,
  ) {}

  context(attemptKey: string = randomUUID(), signal: AbortSignal = neverAborted): LoginContext {
    return loginContext({ remoteId: this.login.remoteId, attemptKey, signal });
  }

  async link(attemptKey?: string) {
    const { logIn, remoteId } = this.login;
    const outcome = await logIn(this.target().provider, this.context(attemptKey));
    if (outcome.kind !== 'linked')
      throw new Error(`expected a permission, got the step ${outcome.step.kind}`);
    // Sources count calls without a user, and the suite makes many.
    return { ...outcome, access: accessWith(outcome, remoteId, PRESENT_USER) };
  }

  async readWindow(
    provider: Provider,
    access: ProviderAccess,
    window: TransactionWindow,
  ): Promise<ProviderTransaction[]> {
    if (provider.fetchTransactions === undefined)
      throw new Error(`${this.name} has no transactions`);
    const rows: ProviderTransaction[] = [];
    for await (const page of provider.fetchTransactions(access, window))
      rows.push(...page.transactions);
    return rows;
  }

  /** False for a product that this institution of the provider does not have. */
  offers(product: Product): boolean {
    const listed = this.target()
      .provider.institutions()
      .find((institution) => institution.remoteId === this.login.remoteId);
    return listed?.products.includes(product) ?? true;
  }
}

export const daysAgo = (days: number): string =>
  new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
export const lastDays = (days: number): TransactionWindow => ({
  from: daysAgo(days - 1),
  to: daysAgo(0),
});
