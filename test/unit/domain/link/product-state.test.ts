import { LINK_ERRORS } from '../../../../domain/link/link-state.js';
import {
  judgeProductEvent,
  PRODUCT_ERRORS,
  productErrorOfLinkError,
  type ProductEventType,
  type ProductState,
} from '../../../../domain/link/product-state.js';

/** link-lifecycle 7.2 in its own letters; ✉ = link.product_refresh. */
const CONTRACT: Record<ProductEventType, [string, string, string, string, string]> = {
  requested: ['pending', '—', '—', 'pending', 'pending'],
  fetch_begins: ['✗', 'in_progress', '—', '✗', '✗'],
  fetch_retried: ['✗', '✗', 'in_progress', '✗', '✗'],
  stored: ['✗', '✗', 'completed ✉', '✗', '✗'],
  final_failure: ['✗', '✗', 'failed ✉', '✗', '✗'],
  link_left_connected: ['—', 'failed ✉', 'failed ✉', '—', '—'],
  link_deleted: ['—', 'failed', 'failed', '—', '—'],
};
const COLUMNS: (ProductState | null)[] = [null, 'pending', 'in_progress', 'completed', 'failed'];

describe('The state table of a product (link-lifecycle 7.2)', () => {
  const cells = (Object.keys(CONTRACT) as ProductEventType[]).flatMap((event) =>
    COLUMNS.map((state, at) => ({ event, state, expected: CONTRACT[event][at] })),
  );

  it.each(cells)('defines $event in $state: $expected', ({ event, state, expected }) => {
    const verdict = judgeProductEvent(state, event);
    const letters =
      verdict.kind === 'change'
        ? `${verdict.state}${verdict.announce ? ' ✉' : ''}`
        : verdict.kind === 'none'
          ? '—'
          : '✗';
    expect(letters).toBe(expected);
  });

  it('maps every link error to a product error', () => {
    for (const error of LINK_ERRORS)
      expect(PRODUCT_ERRORS).toContain(productErrorOfLinkError(error));
  });
});
