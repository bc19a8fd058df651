import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS } from '../../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../../platform/src/config/settings.js';
import type { Product } from '../../../../../domain/link/products.js';
import type { Item } from '../access/item-access.js';
import { PlaidError, presentError } from '../errors/plaid-error.js';
import { plaidProducts } from '../shapes/product-names.js';
import { faultOf, oauthReasonOf } from '../../../../../domain/plaid/item-faults.js';

/** Source: plaid-compat 3.1. */
@Injectable()
export class ItemPresenter {
  constructor(@Inject(SETTINGS) private readonly settings: ApiSettings) {}

  /** With its fault. Source: plaid-compat 3.7, 6.5. */
  whole(item: Item) {
    const fault = faultOf(item);
    const reason = fault === null ? undefined : oauthReasonOf(item, fault.live);
    const error =
      fault === null
        ? null
        : presentError(
            new PlaidError(fault.live, reason === undefined ? {} : { reason }),
            this.settings.baseUrl,
          );
    return { ...this.embedded(item), error, created_at: item.createdAt.toISOString() };
  }

  /** The results of its fetches. Source: plaid-compat 6.5. */
  status({ link, lastWebhook }: Item) {
    return {
      transactions: updatesOf(link, 'transactions'),
      investments: updatesOf(link, 'investments'),
      last_webhook:
        lastWebhook === null
          ? null
          : { sent_at: lastWebhook.sentAt.toISOString(), code_sent: lastWebhook.code },
    };
  }

  /** For responses other than `/item/get`, the only one that shows the fault. */
  embedded({ link, institutionAlias, webhookFormat, hasNumbers, permissionEndsAt }: Item) {
    const permitted = link.products.map(({ product }) => product);
    const inUse = link.products
      .filter(
        ({ product, settings, lastAttemptedAt }) =>
          product === 'accounts' || settings.prefetch || lastAttemptedAt !== null,
      )
      .map(({ product }) => product);
    return {
      item_id: link.linkId,
      institution_id: institutionAlias ?? link.institutionId,
      institution_name: link.institutionName,
      webhook: webhookFormat === 'plaid' ? link.webhook : null,
      error: null,
      available_products: plaidProducts(
        link.supportedProducts.filter((product) => !inUse.includes(product)),
      ),
      billed_products: plaidProducts(inUse.filter((product) => product !== 'accounts')),
      products: plaidProducts(inUse),
      consented_products: plaidProducts(permitted),
      consent_expiration_time: permissionEndsAt?.toISOString() ?? null,
      update_type:
        link.state === 'error' && link.errorCode === 'auth_expired'
          ? 'user_present_required'
          : 'background',
      auth_method: hasNumbers ? 'INSTANT_AUTH' : null,
    };
  }
}

/** The times of the last fetch that succeeded, and of the last one if it failed. */
function updatesOf({ products }: Item['link'], product: Product) {
  const status = products.find((granted) => granted.product === product);
  const failedAt =
    status === undefined || status.errorCode === null ? null : status.lastAttemptedAt;
  return {
    last_successful_update: status?.refreshedAt?.toISOString() ?? null,
    last_failed_update: failedAt?.toISOString() ?? null,
  };
}
