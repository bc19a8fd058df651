import { Injectable } from '@nestjs/common';
import type { Item } from '../../../items/find-item.js';
import { plaidProducts } from '../shapes/product-names.js';

/** An Item as answers show it. Source: plaid-compat 3.1. */
@Injectable()
export class ItemPresenter {
  /** Inside other answers; its fault is only told by `/item/get`. */
  embedded({ link, institutionAlias, webhookFormat, hasNumbers }: Item) {
    const permitted = link.products.map(({ product }) => product);
    const inUse = link.products
      .filter(({ product, settings, lastAttemptedAt }) => product === 'accounts' || settings.prefetch || lastAttemptedAt !== null)
      .map(({ product }) => product);
    return {
      item_id: link.linkId,
      institution_id: institutionAlias ?? link.institutionId,
      institution_name: link.institutionName,
      webhook: webhookFormat === 'plaid' ? link.webhook : null,
      error: null,
      available_products: plaidProducts(link.supportedProducts.filter((product) => !inUse.includes(product))),
      billed_products: plaidProducts(inUse.filter((product) => product !== 'accounts')),
      products: plaidProducts(inUse),
      consented_products: plaidProducts(permitted),
      consent_expiration_time: null,
      update_type: link.state === 'error' && link.errorCode === 'auth_expired' ? 'user_present_required' : 'background',
      auth_method: hasNumbers ? 'INSTANT_AUTH' : null,
    };
  }
}
