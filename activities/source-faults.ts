import { incompleteAccounts, type IncompleteAccount } from '../domain/refresh/incomplete-answer.js';
import type { Product } from '../domain/link/products.js';
import type { SourceFault } from '../domain/refresh/source-fault.js';
import type { Provider } from '../providers/contract/provider.js';
import { isUnreadable, unreadablePlace } from '../providers/http/read-scope.js';

/** A kind of fault, and its number of occurrences in one response. */
export interface CountedFault extends SourceFault {
  count: number;
}

/** Collects the faults that an adapter reports during one fetch, login or list of institutions. */
export class SourceFaults {
  private readonly counted = new Map<string, CountedFault>();
  private whole: UnreadablePlace | null = null;

  /** `AccessServices.note`. */
  readonly note = (fault: SourceFault): void => {
    const { scope, account, accountName = null, resource, field, reason } = fault;
    const key = JSON.stringify([scope, account, accountName, resource, field, reason]);
    const known = this.counted.get(key);
    if (known === undefined) this.counted.set(key, { ...fault, count: 1 });
    else known.count += 1;
  };

  /** Counts an unreadable response that ends the fetch or login, and no other failure. */
  fail(error: unknown): void {
    if (isUnreadable(error)) this.whole = { scope: 'answer', ...unreadablePlace(error), count: 1 };
  }

  all(): readonly CountedFault[] {
    return [...this.counted.values()];
  }

  /** The number of faults of a scope. */
  count(scope: SourceFault['scope']): number {
    const counts = this.all().map((fault) => (fault.scope === scope ? fault.count : 0));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Each place once, without accounts. */
  places(): UnreadablePlace[] {
    const places = new Map<string, UnreadablePlace>();
    for (const { scope, resource, field, reason, count } of this.all()) {
      const key = JSON.stringify([scope, resource, field, reason]);
      const before = places.get(key)?.count ?? 0;
      places.set(key, { scope, resource, field, reason, count: before + count });
    }
    return [...places.values(), ...(this.whole === null ? [] : [this.whole])];
  }

  /** See `incompleteAccounts`. */
  incomplete(unreported: readonly string[] = []): IncompleteAccount[] {
    return incompleteAccounts(this.all(), unreported);
  }
}

/** The unreadable data of one fetch, login or list of institutions. */
export interface UnreadableAnswer {
  provider: string;
  adapter: string;
  /** Null for a list of institutions. */
  linkId: string | null;
  /** A product, `login` or `catalog`. */
  operation: Product | 'login' | 'catalog';
  /** Each place once, without accounts. */
  faults: UnreadablePlace[];
}

export type UnreadablePlace = Pick<SourceFault, 'resource' | 'field' | 'reason'> & {
  /** `answer`: nothing of the response could be used. */
  scope: SourceFault['scope'] | 'answer';
  count: number;
};

export type ObserveFaults = (answer: UnreadableAnswer) => void;

/** Reports the unreadable data of one fetch, login or list of institutions, if there was any. */
export function reportFaults(
  observe: ObserveFaults | undefined,
  { name: provider, adapter }: Pick<Provider, 'name' | 'adapter'>,
  { linkId, operation }: Pick<UnreadableAnswer, 'linkId' | 'operation'>,
  faults: SourceFaults,
): void {
  const places = faults.places();
  if (places.length > 0) observe?.({ provider, adapter, linkId, operation, faults: places });
}

/** For calls whose responses are not stored. */
export const ignoreFaults = (): void => undefined;
