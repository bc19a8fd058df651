import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import type { Link, LinkProduct } from '../../generated/client.js';
import { failProduct } from '../refresh/fail-product.js';
import { judgeProduct } from '../refresh/refresh-fence.js';
import { writeRequests } from '../refresh/request-refresh.js';
import { hasNewSource, storeProduct, storeRows, wasIncomplete } from '../refresh/store-product.js';
import { matchFetchedRows } from '../../links/transactions/match-fetched-rows.js';
import { storableAccounts } from '../../links/transactions/store-transactions.js';
import type { RunStep } from './run-outcomes.js';

/** Applies one step of a current run; skips a product that has since been settled. */
export async function applyRunStep(
  ctx: Context,
  tx: Tx,
  link: Link,
  rows: ReadonlyMap<string, LinkProduct>,
  step: RunStep,
): Promise<void> {
  if (step.kind === 'match' && !hasNewSource(link) && !step.listing.postedIdsDiffer) return;
  const row = rows.get(step.product);
  if (
    row === undefined ||
    judgeProduct(row, step.kind === 'failed' ? 'final_failure' : 'stored').kind !== 'change'
  )
    return;
  // The advance runs a second pass itself: the clock is stopped until then.
  const inProgress = { link, row, requestSecondPass: writeRequests };
  switch (step.kind) {
    case 'failed':
      return failProduct(ctx, tx, link, row, step.cause);
    case 'match':
      await matchFetchedRows(tx, link.pk, await storableAccounts(tx, link.pk), step.listing, {
        postedIdsDiffer: step.listing.postedIdsDiffer,
        anyIdDiffers: step.listing.anyIdDiffers ?? false,
        otherSource: hasNewSource(link),
        partlyMatched: wasIncomplete(row),
      });
      return;
    case 'rows':
      await storeRows(ctx, tx, inProgress, step.batch);
      return;
    case 'whole':
      await storeProduct(ctx, tx, inProgress, step.fetched);
  }
}
