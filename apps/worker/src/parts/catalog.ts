import { createCatalogActivities } from '../../../../activities/catalog/catalog-activities.js';
import { CatalogRepository } from '../../../../prisma/sources/catalog/catalog.repository.js';
import { LogoRepository } from '../../../../prisma/sources/institutions/logo.repository.js';
import { encodeLogo } from '../../../../providers/logos/encode-logo.js';
import { createFetchLogo } from '../../../../providers/logos/fetch-logo.js';
import type { BankAccess } from './bank-access.js';

/** Providers' lists of institutions. */
export function createCatalogParts({ ctx, providers, observeFaults }: BankAccess) {
  const catalog = new CatalogRepository(ctx);
  return {
    catalog,
    bankActivities: createCatalogActivities({
      catalog,
      providers,
      logos: {
        logos: new LogoRepository(ctx),
        fetchLogo: createFetchLogo(),
        encodeLogo,
        now: ctx.clock,
      },
      observeFaults,
    }),
  };
}
