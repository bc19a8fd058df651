import { Injectable } from '@nestjs/common';
import type { Product } from '../../../../../domain/link/products.js';
import type { Caller } from '../../http/request-state.js';
import type { Item } from '../access/item-access.js';
import { LinkAccess } from '../../links/link-access.js';
import { RefreshProducts } from '../../links/refresh-products.js';
import { WaitForFetches } from '../../sandbox/wait-for-fetches.js';
import { PlaidError } from '../errors/plaid-error.js';
import { fetchFault, refuseByState } from '../access/item-gate.js';

/** plaid-compat 6, operation 5. */
const WAIT_MS = 25_000;

/** Starts fetches, and waits for them. The limits of native-api 8 do not apply. Source: plaid-compat 6. */
@Injectable()
export class RefreshItem {
  constructor(
    private readonly refresh: RefreshProducts,
    private readonly untilFetched: WaitForFetches,
    private readonly links: LinkAccess,
  ) {}

  /** Starts a fetch, or joins the running one, and returns the refreshed Item. @throws PlaidError, ApiError */
  async fetch(caller: Caller, item: Item, product: Product): Promise<Item> {
    const { linkId } = item.link;
    await this.refresh.start(caller, linkId, [product]);
    if (!(await this.untilFetched.wait(linkId, WAIT_MS, [product])))
      throw new PlaidError('INSTITUTION_NOT_RESPONDING');
    return this.outcome(caller, item, product);
  }

  /**
   * Waits for the first fetch of a product, which is running or was just requested, and returns the refreshed Item. Source:
   * plaid-compat 6.2. @throws PlaidError, ApiError; `PRODUCT_NOT_READY` when the fetch takes too long
   */
  async first(caller: Caller, item: Item, product: Product): Promise<Item> {
    const { linkId, state } = item.link;
    const isOver =
      state === 'connected' && (await this.untilFetched.wait(linkId, WAIT_MS, [product]));
    if (!isOver) throw new PlaidError('PRODUCT_NOT_READY');
    const fetched = await this.outcome(caller, item, product);
    const status = fetched.link.products.find((granted) => granted.product === product);
    if (status === undefined || status.refreshedAt === null)
      throw new PlaidError('PRODUCT_NOT_READY');
    return fetched;
  }

  /** The Item after a fetch. @throws PlaidError when the fetch failed, ApiError */
  private async outcome(caller: Caller, item: Item, product: Product): Promise<Item> {
    const link = await this.links.findLiving(caller, item.link.linkId);
    const { errorCode = null, errorCause = null } =
      link.products.find((status) => status.product === product) ?? {};
    // A fault of the link since the start of the call is the fault of its fetch.
    const fetched = { ...item, link, errorCause };
    refuseByState(fetched, 'live');
    if (errorCode !== null) throw fetchFault(fetched, { errorCode, errorCause });
    return fetched;
  }

  /** Starts a fetch, whose end webhooks announce. @throws PlaidError */
  async begin(caller: Caller, item: Item, product: Product): Promise<void> {
    refuseByState(item, 'live');
    // plaid-compat 6, operation 8: checked before permission.
    if (!item.link.products.some((granted) => granted.product === product))
      throw new PlaidError('PRODUCTS_NOT_SUPPORTED');
    await this.refresh.start(caller, item.link.linkId, [product]);
  }
}
