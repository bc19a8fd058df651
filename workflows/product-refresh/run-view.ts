import type { RefreshPlan } from '../../activities/refresh/refresh-activities.js';
import { PRODUCTS, type Product } from '../../domain/link/products.js';
import type { ProductPhase, RunPhase } from '../../domain/refresh/refresh-phase.js';
import { FETCH_FOR_MS } from '../activity-options.js';
import type { CurrentDetails } from '../details/current-details.js';

/** Shows operators the phases of a run and of its products. `run`: null = it has ended. */
export function showRun(
  details: CurrentDetails,
  run: RunPhase | null,
  { institutionId: institution, provider }: RefreshPlan,
  { updateForMs }: { updateForMs: number },
): void {
  const products = run?.name === 'fetching' ? run.products : {};
  details.at({ institution, provider, phase: run?.name ?? null, note: phasesOf(products) });
  if (run?.name === 'updating') {
    details.waitFor('the provider to ask the bank for new data', {
      until: run.startedAt + updateForMs,
    });
    details.failed(run.lastCause);
  } else details.done();
  for (const product of PRODUCTS) showProduct(details, product, products[product]);
}

function phasesOf(products: Partial<Record<Product, ProductPhase>>): string | null {
  const named = Object.entries(products).map(
    ([product, { name }]) => `\`${product}\`: \`${name}\``,
  );
  return named.length === 0 ? null : `${named.join(', ')}.`;
}

function showProduct(
  details: CurrentDetails,
  product: Product,
  phase: ProductPhase | undefined,
): void {
  switch (phase?.name) {
    case 'waitingForAccounts':
      return details.waitFor(`\`accounts\`, which are fetched before \`${product}\``, {}, product);
    case 'fetching': {
      const until = phase.attemptAt + FETCH_FOR_MS;
      details.waitFor(`\`${product}\`, attempt ${phase.number}`, { until }, product);
      return details.failed(phase.lastCause, product);
    }
    case 'pausing':
      details.waitFor(
        `the time of the next attempt for \`${product}\``,
        { until: phase.until },
        product,
      );
      return details.failed(phase.lastCause, product);
    default:
      return details.done(product);
  }
}
