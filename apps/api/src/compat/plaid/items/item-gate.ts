import { Injectable } from '@nestjs/common';
import type { Product } from '../../../../../../domain/products.js';
import type { Caller } from '../../../http/request-state.js';
import type { Item } from '../../../items/find-item.js';
import { RefreshProducts } from '../../../links/refresh-products.js';
import { PlaidError } from '../errors/plaid-error.js';
import { FETCH_FAULTS, faultOf, oauthReasonOf } from '../../../../../../domain/plaid/item-faults.js';

/** `stored`: answers what is stored. `live`: needs the institution. */
export type ReadKind = 'stored' | 'live';
export type Readiness = 'ready' | 'never_fetched';

/** The steps "Item state", "product granted" and "data ready" of plaid-compat 1.2, by the rules of 3.7. */
@Injectable()
export class ItemGate {
  constructor(private readonly refresh: RefreshProducts) {}

  /** All three steps; what was never fetched is asked for. @throws PlaidError */
  async admit(caller: Caller, item: Item, product: Product, kind: ReadKind): Promise<void> {
    if (await this.readiness(caller, item, product, kind) === 'never_fetched') throw new PlaidError('PRODUCT_NOT_READY');
  }

  /** The same for calls with an answer of their own while there is no data. @throws PlaidError */
  async readiness(caller: Caller, item: Item, product: Product, kind: ReadKind): Promise<Readiness> {
    refuseByState(item, kind);
    const status = grantedProduct(item, product);
    if (status.refreshedAt !== null) return 'ready';
    if (status.errorCode === 'not_supported' || status.errorCode === 'no_permission') throw fetchFault(item, status.errorCode);
    if (item.link.state === 'connected') await this.refresh.start(caller, item.link.linkId, [product]);
    return 'never_fetched';
  }
}

/** @throws PlaidError */
export function refuseByState(item: Item, kind: ReadKind): void {
  const code = faultOf(item)?.[kind] ?? null;
  if (code === null) return;
  const reason = oauthReasonOf(item, code);
  throw new PlaidError(code, reason === undefined ? {} : { reason });
}

/** Why a fetch that a call waits for failed, in the words of plaid-compat 3.7. */
export function fetchFault({ link }: Item, error: keyof typeof FETCH_FAULTS): PlaidError {
  const isGone = error === 'no_permission' && link.products.every(({ errorCode }) => errorCode === 'no_permission');
  return new PlaidError(isGone ? 'USER_PERMISSION_REVOKED' : FETCH_FAULTS[error]);
}

function grantedProduct({ link }: Item, product: Product) {
  const status = link.products.find((granted) => granted.product === product);
  if (status !== undefined) return status;
  throw new PlaidError(link.supportedProducts.includes(product) ? 'ADDITIONAL_CONSENT_REQUIRED' : 'PRODUCTS_NOT_SUPPORTED');
}
