import { createCatalogueActivities } from '../../../../activities/catalogue/catalogue-activities.js';
import { CatalogueRepository } from '../../../../prisma/catalogue/catalogue.repository.js';
import type { BankAccess } from './bank-access.js';

/** Providers' lists of institutions. */
export function createCatalogueParts({ ctx, providers }: BankAccess) {
  const catalogue = new CatalogueRepository(ctx);
  return { catalogue, bankActivities: createCatalogueActivities({ catalogue, providers }) };
}
