import { failureOf } from '../../../activities/failures.js';
import { withHeartbeats } from '../../../activities/heartbeats.js';
import type { FetchActivities, FetchResult } from '../../../activities/refresh/fetch-activities.js';
import type {
  FailureOfProduct,
  RefreshActivities,
  RefreshPlan,
} from '../../../activities/refresh/refresh-activities.js';
import { FAILURE_MEANINGS } from '../../../domain/errors/failure-mapping.js';
import type { Product } from '../../../domain/link/products.js';

import type {
  UpdateActivities,
  UpdateResult,
} from '../../../activities/refresh/update-activities.js';

export const FETCH_PROVIDER = 'fake-fetch';

export type FetchBehavior = (signal: AbortSignal) => FetchResult | Promise<FetchResult>;

/** The response of the source to one call of an update. */
export type UpdateBehavior = () => UpdateResult;

export const stored: FetchBehavior = () => ({
  kind: 'stored',
  created: 1,
  updated: 0,
  removed: 0,
});

/** The requests and products of one link, as the database would keep them, and its bank as a script for each product. */
export class FakeRefresh {
  requests: Product[] = [];
  inProgress = new Map<Product, 'pending' | 'in_progress'>();
  calls: string[] = [];
  /** The names under which the bank was called. */
  triesSeen: string[] = [];
  run = 0;
  tries = 0;
  lastTry = new Map<Product, string>();
  failures: Pick<FailureOfProduct, 'until' | 'isOurQuota'>[] = [];
  runsAtOnce = 0;
  maxRunsAtOnce = 0;
  bank: Partial<Record<Product, FetchBehavior[]>> = {};
  environment: 'sandbox' | 'live' = 'sandbox';
  /** The update that the source requires before it is read; null means none. */
  update: UpdateBehavior[] | null = null;

  constructor(readonly linkId: string) {}

  take(run: string): RefreshPlan | null {
    const wanted = [...new Set(this.requests.splice(0))];
    if (wanted.length === 0) return null;
    const joined = wanted.filter((product) => this.inProgress.has(product));
    const products = wanted.filter((product) => !joined.includes(product));
    for (const product of products) this.inProgress.set(product, 'pending');
    return {
      linkId: this.linkId,
      run,
      provider: FETCH_PROVIDER,
      remoteId: 'remote',
      institutionId: 'fake-bank',
      environment: this.environment,
      appId: 'demo',
      joined,
      ...(this.update === null ? {} : { updatesFirst: true as const }),
      products: products.map((product) => ({
        product,
        window: product === 'transactions' ? { from: '2026-01-01', to: '2026-03-31' } : null,
      })),
    };
  }
}

function nameOfTry(link: FakeRefresh, product: Product): string {
  link.tries += 1;
  const name = `${link.run}.${link.tries}`;
  link.lastTry.set(product, name);
  return name;
}

/** The database lets only the last attempt of a fetch end it, or its whole run. */
function insistOnLastTry(link: FakeRefresh, product: Product, name: string): void {
  const isTry = name.includes('.');
  if (isTry && link.inProgress.get(product) === 'in_progress' && link.lastTry.get(product) !== name)
    throw new Error(`${name} is not the last try of ${product}`);
}

export function createFakeRefreshActivities(links: Map<string, FakeRefresh>): {
  links: RefreshActivities;
  bank: FetchActivities & UpdateActivities;
} {
  const link = (linkId: string): FakeRefresh => {
    const found = links.get(linkId);
    if (found === undefined) throw new Error(`the test has no link ${linkId}`);
    return found;
  };
  return {
    links: {
      async beginRefreshRun(linkId) {
        const row = link(linkId);
        row.calls.push('beginRun');
        const plan = row.take(String(row.run + 1));
        if (plan === null) return null;
        row.run += 1;
        row.runsAtOnce += 1;
        row.maxRunsAtOnce = Math.max(row.maxRunsAtOnce, row.runsAtOnce);
        if (plan.updatesFirst === true) return plan;
        const started = plan.products.map((planned) => {
          row.inProgress.set(planned.product, 'in_progress');
          return { ...planned, attempt: nameOfTry(row, planned.product) };
        });
        return { ...plan, products: started };
      },
      async joinRefreshRun({ linkId, run }) {
        link(linkId).calls.push('joinRun');
        return link(linkId).take(run);
      },
      async beginProduct({ linkId, product }) {
        link(linkId).calls.push(`begin ${product}`);
        link(linkId).inProgress.set(product, 'in_progress');
        return nameOfTry(link(linkId), product);
      },
      async retryProduct({ linkId, run, product }) {
        insistOnLastTry(link(linkId), product, run);
        link(linkId).calls.push(`retry ${product}`);
        return link(linkId).inProgress.has(product) ? nameOfTry(link(linkId), product) : null;
      },
      async failProduct({ linkId, run, product, cause, until, isOurQuota }) {
        const row = link(linkId);
        insistOnLastTry(row, product, run);
        if (!row.inProgress.delete(product)) return;
        row.calls.push(`fail ${product} ${cause}`);
        row.failures.push({ until, isOurQuota });
        if (FAILURE_MEANINGS[cause].endsPermission) row.inProgress.clear();
      },
      async finishRefreshRun({ linkId, anySucceeded }) {
        link(linkId).calls.push(`finish ${anySucceeded ? 'with success' : 'without success'}`);
        link(linkId).runsAtOnce -= 1;
      },
    },
    bank: {
      async updateAtProvider({ linkId, isFirst }) {
        const row = link(linkId);
        row.calls.push(isFirst ? 'update' : 'ask about update');
        const script = row.update ?? [];
        const [behavior] = script;
        if (behavior === undefined) throw new Error('the source has no script');
        if (script.length > 1) script.shift();
        return withHeartbeats(async () => {
          try {
            return behavior();
          } catch (error) {
            throw failureOf(error);
          }
        });
      },
      async fetchProduct({ linkId, run, product }) {
        const row = link(linkId);
        row.triesSeen.push(run);
        row.calls.push(`fetch ${product}`);
        const script = row.bank[product] ?? [stored];
        const [behavior] = script;
        if (behavior === undefined) throw new Error('the bank has no script');
        if (script.length > 1) script.shift();
        return withHeartbeats(async (signal) => {
          try {
            const result = await behavior(signal);
            row.inProgress.delete(product);
            return result;
          } catch (error) {
            throw failureOf(error);
          }
        });
      },
    },
  };
}
