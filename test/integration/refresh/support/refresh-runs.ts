import type { ProviderCause } from '../../../../domain/errors/provider-failure.js';
import type { Product } from '../../../../domain/link/products.js';
import type { RefreshCause } from '../../../../prisma/work/refresh/request-refresh.js';
import { storage, type StoredLink } from '../../../support/fixtures/stored-link.js';

export const prisma = () => storage.ctx.database.prisma;
export const request = (link: StoredLink, products: Product[], cause: RefreshCause) =>
  storage.ctx.database.transaction((tx) =>
    storage.refresh.requestProducts(tx, link.pk, products, cause),
  );
export const productOf = (link: StoredLink, product: Product) =>
  prisma().linkProduct.findUniqueOrThrow({
    where: { linkPk_product: { linkPk: link.pk, product } },
  });
export const linkOf = (link: StoredLink) =>
  prisma().link.findUniqueOrThrow({ where: { pk: link.pk } });
export const fail = (link: StoredLink, run: string, product: Product, cause: ProviderCause) =>
  storage.refresh.failProduct(link.linkId, run, product, cause);
