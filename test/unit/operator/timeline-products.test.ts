import { describeEvent } from '../../../apps/operator/src/timeline/describe-event.js';
import { TEXTS } from '../../../apps/console/src/screens/links/texts.js';
import { PRODUCTS } from '../../../domain/link/products.js';

const NOW = new Date('2026-03-02T10:00:00Z');
const titleOf = (product: string | null, state: string): string =>
  describeEvent(
    {
      kind: 'event',
      at: NOW,
      eventId: 'evt_1',
      webhookEvent: 'link.product_refresh',
      origin: 'change',
      facts: {
        state,
        error: null,
        errorMessage: null,
        product,
        permissionEndsAt: null,
        outcome: null,
        errorInside: null,
      },
      deliveries: [],
    },
    NOW,
  ).title;

describe('The title of a refresh in a timeline', () => {
  it.each(PRODUCTS)('names %s as the catalog of the console does', (product) => {
    const words = TEXTS.productNames[product]?.toLowerCase();
    expect(titleOf(product, 'completed')).toBe(`Refreshed: ${words}`);
    expect(titleOf(product, 'failed')).toBe(`Refresh failed: ${words}`);
  });

  it('keeps the name of a product that this version does not know, and says so without a name', () => {
    expect(titleOf('pensions', 'completed')).toBe('Refreshed: pensions');
    expect(titleOf(null, 'completed')).toBe('Refreshed: a product');
  });
});
