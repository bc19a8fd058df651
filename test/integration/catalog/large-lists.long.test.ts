import type { ListedInstitution } from '../../../domain/institutions/listed-institution.js';
import { CatalogRepository } from '../../../prisma/sources/catalog/catalog.repository.js';
import { largeLists } from '../../support/fixtures/large-lists.js';
import { openStore, type Store } from '../../support/fixtures/linking-store.js';

const INSTITUTIONS = 20_000;
const LISTS = largeLists(INSTITUTIONS);
const TABLES = ['catalog_entries', 'institutions', 'institution_routes', 'institution_aliases'];

describe(`${INSTITUTIONS} institutions of three providers`, () => {
  let store: Store;
  let catalog: CatalogRepository;
  beforeAll(async () => {
    store = await openStore();
    catalog = new CatalogRepository(store.ctx);
  });
  afterAll(() => store.close());

  const switchTo = (provider: string, entries: readonly ListedInstitution[]) =>
    catalog.switchTo({ provider, environment: 'live', entries, acceptLosses: false });
  /** The rows of the catalog, and a digest that changes with every row that is written. */
  const written = async () =>
    Promise.all(
      TABLES.map(async (table) => {
        const { rows } = await store.ctx.database.pool.query(
          `SELECT count(*)::int AS rows, md5(string_agg(ctid::text || xmin::text, ' ' ORDER BY ctid)) AS digest FROM ${table}`,
        );
        return { table, ...(rows[0] as { rows: number; digest: string }) };
      }),
    );

  it('are stored, joined, and not written again while their lists are unchanged', async () => {
    for (const [provider, entries] of LISTS)
      expect(await switchTo(provider, entries)).toMatchObject({
        kind: 'switched',
        added: entries.length,
      });
    const before = await written();
    const entries = [...LISTS.values()].flat().length;
    expect(before.map(({ table, rows }) => [table, rows])).toEqual([
      // Two institutions of the sandbox stand beside them.
      ['catalog_entries', entries + 2],
      ['institutions', INSTITUTIONS + 2],
      ['institution_routes', entries + 2],
      ['institution_aliases', 0],
    ]);
    for (const [provider, list] of LISTS)
      expect(await switchTo(provider, list)).toMatchObject({ added: 0, changed: 0, gone: 0 });
    expect(await written()).toEqual(before);
  });
});
