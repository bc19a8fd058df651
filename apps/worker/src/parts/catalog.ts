import { createCatalogActivities } from '../../../../activities/catalog/catalog-activities.js';
import { CatalogRepository } from '../../../../prisma/sources/catalog/catalog.repository.js';
import type { BankAccess } from './bank-access.js';

/** Providers' lists of institutions. */
export function createCatalogParts({ ctx, providers, observeFaults }: BankAccess) {
  const catalog = new CatalogRepository(ctx);
  return {
    catalog,
    bankActivities: createCatalogActivities({ catalog, providers, observeFaults }),
  };
}
