import type { Environment } from '../../domain/api/environment.js';
import { searchTextOf } from '../../domain/institutions/search-text.js';
import type { Product } from '../../domain/link/products.js';
import type { Tx } from '../database/tx.js';

export interface CatalogueEntry {
  institutionId: string;
  remoteId: string;
  name: string;
  country: string;
  domain: string | null;
  color: string | null;
  colorDark: string | null;
  isFeatured: boolean;
  environment: Environment;
  login: 'credentials' | 'oauth' | 'none';
  products: readonly Product[];
  aliases: readonly string[];
  /** Other names people search for. */
  otherNames?: readonly string[];
}

const ROUTE_LOGIN = { credentials: 'form', oauth: 'redirect', none: 'none' } as const;

/** Syncs the stored catalogue of one provider with what the provider offers now. Idempotent. */
export async function syncCatalogue(
  tx: Tx,
  provider: string,
  entries: readonly CatalogueEntry[],
): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('institution-catalogue'))`;
  for (const { institutionId, remoteId, products, aliases, otherNames, ...facts } of entries) {
    const searchText = searchTextOf({ ...facts, otherNames });
    await tx.institution.upsert({
      where: { institutionId },
      create: { institutionId, searchText, ...facts },
      update: { searchText, ...facts },
    });
    const route = { remoteId, login: ROUTE_LOGIN[facts.login], products: [...products] };
    await tx.institutionRoute.upsert({
      where: { institutionId_provider: { institutionId, provider } },
      create: { institutionId, provider, ...route },
      update: route,
    });
    await tx.institutionAlias.deleteMany({
      where: { institutionId, provider, alias: { notIn: [...aliases] } },
    });
    await tx.institutionAlias.createMany({
      data: aliases.map((alias) => ({ alias, institutionId, provider })),
      skipDuplicates: true,
    });
  }
  await tx.institutionRoute.deleteMany({
    where: { provider, institutionId: { notIn: entries.map((entry) => entry.institutionId) } },
  });
}
