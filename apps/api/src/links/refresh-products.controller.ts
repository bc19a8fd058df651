import { Controller, Inject, Param } from '@nestjs/common';
import { presentLink } from '../../../../domain/link/present-link.js';
import type { LinkView } from '../../../../prisma/links/link/link-view.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import type { Caller } from '../http/request-state.js';
import type { KeyUse } from '../http/key-use.js';
import { CurrentCaller, CurrentKeyUse, Input, Route, type InputOf } from '../http/route.js';
import { refreshProductsDocs } from './refresh-products.docs.js';
import { RefreshProducts } from './refresh-products.js';
import { RefreshProductsRequest } from './refresh-products.requests.js';

/** Source: native-api 3.7. */
@Controller()
export class RefreshProductsController {
  constructor(
    private readonly refresh: RefreshProducts,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  @Route('POST /links/:id/products', {
    docs: refreshProductsDocs.request,
    scope: 'products:refresh',
    status: 202,
    idempotent: true,
    input: RefreshProductsRequest,
  })
  async request(
    @CurrentCaller() caller: Caller,
    @Param('id') linkId: string,
    @Input() { body }: InputOf<typeof RefreshProductsRequest>,
    @CurrentKeyUse() use: KeyUse,
  ) {
    const present = (link: LinkView) => presentLink(link, this.settings);
    return present(await this.refresh.request(caller, linkId, body.products, use.keeping(present)));
  }
}
