import { Injectable } from '@nestjs/common';
import { ApiError, badState } from '../../../../domain/errors/api-errors.js';
import type { Tenant } from '../../../../domain/api/environment.js';
import type { Product } from '../../../../domain/link/products.js';
import type { AfterEffect } from '../../../../prisma/base/database/after-effect.js';
import type { LinkView } from '../../../../prisma/links/link/link-view.js';
import { ProductRequestRepository } from '../../../../prisma/work/refresh/product-request.repository.js';
import { LinkAccess } from './link-access.js';

/** Requests a refresh, which the worker carries out later. Source: native-api 3.7. */
@Injectable()
export class RefreshProducts {
  constructor(
    private readonly requests: ProductRequestRepository,
    private readonly access: LinkAccess,
  ) {}

  /**
   * Starts a fetch, or merges into the running one, outside the limits of native-api 8. Ignores
   * products that cannot be fetched now. Source: plaid-compat 3.7, 6.
   */
  async start(tenant: Tenant, linkId: string, products: readonly Product[]): Promise<void> {
    await this.requests.request(tenant, linkId, products, { outsideLimits: true });
  }

  /** Returns the updated link. `andThen` ends the transaction. @throws ApiError */
  async request(
    tenant: Tenant,
    linkId: string,
    products: readonly Product[],
    andThen?: AfterEffect<LinkView>,
  ): Promise<LinkView> {
    await this.access.findLiving(tenant, linkId);
    const outcome = await this.requests.request(tenant, linkId, products, { andThen });
    switch (outcome.kind) {
      case 'accepted':
        return outcome.link;
      case 'gone':
        throw new ApiError('link_error.deleted');
      case 'not_granted':
        throw new ApiError('link_error.forbidden_action', {
          message: `The product ${outcome.product} is not granted on this link.`,
        });
      case 'bad_state':
        throw badState(outcome);
      case 'limited':
        throw new ApiError('api_error.rate_limit_exceeded', {
          message: 'A product was refreshed too recently.',
          retryAfterSeconds: Math.ceil(outcome.waitMs / 1_000),
        });
    }
  }
}
