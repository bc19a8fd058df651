import { Injectable } from '@nestjs/common';
import type { PlaidErrorCode } from '../../../../../domain/plaid/errors.js';
import { faultOf, fetchFaultOf, oauthReasonOf } from '../../../../../domain/plaid/item-faults.js';
import type { ProductError } from '../../../../../domain/link/product-state.js';
import type { Product } from '../../../../../domain/link/products.js';
import type { Caller } from '../../http/request-state.js';
import type { Item } from './item-access.js';
import { RefreshProducts } from '../../links/refresh-products.js';
import { PlaidError } from '../errors/plaid-error.js';

/** `stored`: reads stored data. `live`: requires the institution. */
export type ReadKind = 'stored' | 'live';
export type Readiness = 'ready' | 'never_fetched';

/** The steps "Item state", "product granted" and "data ready" of plaid-compat 1.2, by the rules of 3.7. */
@Injectable()
export class ItemGate {
  constructor(private readonly refresh: RefreshProducts) {}

  /** Checks all three steps, and requests a fetch of data that was never fetched. @throws PlaidError */
  async admit(caller: Caller, item: Item, product: Product, kind: ReadKind): Promise<void> {
    if ((await this.readiness(caller, item, product, kind)) === 'never_fetched')
      throw new PlaidError('PRODUCT_NOT_READY');
  }

  /** For calls with a response of their own while there is no data. @throws PlaidError */
  async readiness(
    caller: Caller,
    item: Item,
    product: Product,
    kind: ReadKind,
  ): Promise<Readiness> {
    refuseByState(item, kind);
    const status = grantedProduct(item, product);
    if (status.refreshedAt !== null) return 'ready';
    const { errorCode, errorCause } = status;
    if (errorCode === 'not_supported' || errorCode === 'no_permission')
      throw fetchFault(item, { errorCode, errorCause });
    if (item.link.state === 'connected')
      await this.refresh.start(caller, item.link.linkId, [product]);
    return 'never_fetched';
  }
}

/** @throws PlaidError */
export function refuseByState(item: Item, kind: ReadKind): void {
  const code = faultOf(item)?.[kind] ?? null;
  if (code !== null) throw faultOfItem(item, code);
}

/** The error of a failed fetch that a call waits for. Source: plaid-compat 3.7. */
export function fetchFault(
  item: Item,
  { errorCode, errorCause }: { errorCode: ProductError; errorCause: string | null },
): PlaidError {
  const isGone =
    errorCode === 'no_permission' &&
    item.link.products.every((product) => product.errorCode === 'no_permission');
  return faultOfItem(
    { ...item, errorCause },
    isGone ? 'USER_PERMISSION_REVOKED' : fetchFaultOf(errorCode, errorCause),
  );
}

function faultOfItem(item: Item, code: PlaidErrorCode): PlaidError {
  const reason = oauthReasonOf(item, code);
  return new PlaidError(code, reason === undefined ? {} : { reason });
}

function grantedProduct({ link }: Item, product: Product) {
  const status = link.products.find((granted) => granted.product === product);
  if (status !== undefined) return status;
  throw new PlaidError(
    link.supportedProducts.includes(product)
      ? 'ADDITIONAL_CONSENT_REQUIRED'
      : 'PRODUCTS_NOT_SUPPORTED',
  );
}
