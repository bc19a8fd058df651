import type { ListedInstitution } from '../../../../domain/institutions/listed-institution.js';
import { CatalogOperatorRepository } from '../../../../prisma/sources/catalog/catalog-operator.repository.js';
import { CatalogRepository } from '../../../../prisma/sources/catalog/catalog.repository.js';
import type { InstitutionFilter } from '../../../../prisma/sources/institutions/institution-availability.js';
import { listedInstitution } from '../../../support/fixtures/listed-institution.js';
import { store, storeOfFile, TENANT } from '../../../support/fixtures/linking-store.js';

export let catalog: CatalogRepository;
export let operator: CatalogOperatorRepository;

/** Opens a database with an empty catalog for each test. */
export function openCatalog(): void {
  storeOfFile();
  beforeAll(() => {
    catalog = new CatalogRepository(store.ctx);
    operator = new CatalogOperatorRepository(store.ctx);
  });

  beforeEach(() =>
    store.ctx.database.pool.query(
      "TRUNCATE catalog_entries; DELETE FROM institutions WHERE institution_id NOT IN ('first-bank', 'second-bank')",
    ),
  );
}

export const switchTo = (
  provider: string,
  entries: readonly ListedInstitution[],
  { acceptLosses = false } = {},
) => catalog.switchTo({ provider, environment: 'live', entries, acceptLosses });
export const jyske = (over: Partial<ListedInstitution> = {}) =>
  listedInstitution({ remoteId: 'jyske', domain: 'jyskebank.dk', bic: 'JYBADKKK', ...over });
export const IN_DENMARK: InstitutionFilter = {
  tenant: { ...TENANT, environment: 'live' },
  environments: ['live'],
  countries: ['DK'],
  providers: [],
  requiredProducts: [],
  oauthPossible: true,
};
export const find = (id: string) => store.institutions.find(['live'], id);
export const routesOf = async (id: string) =>
  (await find(id))?.routes.map(({ provider, remoteId }) => `${provider} ${remoteId}`);
export const listedIds = async () =>
  (
    await store.institutions.list(IN_DENMARK, {
      name: '',
      featured: false,
      after: '',
      limit: 100,
    })
  ).institutions.map(({ institutionId }) => institutionId);
