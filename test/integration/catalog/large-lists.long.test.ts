import type { ListedInstitution } from '../../../domain/institutions/listed-institution.js';
import { CatalogRepository } from '../../../prisma/sources/catalog/catalog.repository.js';
import { storeOfFile, store } from '../../support/fixtures/linking-store.js';
import { COUNTRIES } from '../../../domain/institutions/countries.js';
import { listedInstitution } from '../../support/fixtures/listed-institution.js';

storeOfFile();

const FIRST = 'first national community peoples farmers united heritage pacific summit river'.split(
  ' ',
);
const KIND = ['savings bank', 'credit union', 'mutual', 'federal bank', 'building society'];
const PLACE =
  'springfield madison franklin clinton georgetown salem fairview bristol dover oxford'.split(' ');

/**
 * The lists of three providers, which together have `count` institutions: the first lists all, the
 * second every other one under its BIC, the third every fifth under its domain.
 */
function largeLists(count: number): Map<string, ListedInstitution[]> {
  const all = Array.from({ length: count }, (_, index) => institution(index));
  return new Map([
    ['alpha', all],
    [
      'beta',
      all
        .filter((_, index) => index % 2 === 0)
        .map((entry) => ({ ...entry, remoteId: `b-${entry.remoteId}`, domain: null })),
    ],
    [
      'gamma',
      all
        .filter((_, index) => index % 5 === 0)
        .map((entry) => ({ ...entry, remoteId: `g-${entry.remoteId}`, bic: null })),
    ],
  ]);
}

function institution(index: number): ListedInstitution {
  const pick = (words: readonly string[], step: number) =>
    words[Math.floor(index / step) % words.length] ?? '';
  return listedInstitution({
    remoteId: `r-${index}`,
    name: `${pick(FIRST, 1)} ${pick(KIND, 10)} ${pick(PLACE, 50)} ${index}`,
    country: COUNTRIES[index % COUNTRIES.length],
    domain: `bank-${index}.example`,
    bic: `BANK${String(index).padStart(4, '0')}${index > 9_999 ? 'X' : ''}`,
    logoUrl: `https://cdn.example/${index}.svg`,
    otherNames: [`number ${index}`],
    products: ['accounts', 'transactions'],
  });
}

const INSTITUTIONS = 20_000;
const LISTS = largeLists(INSTITUTIONS);
const TABLES = ['catalog_entries', 'institutions', 'institution_routes', 'institution_aliases'];

describe(`${INSTITUTIONS} institutions of three providers`, () => {
  let catalog: CatalogRepository;
  beforeAll(() => {
    catalog = new CatalogRepository(store.ctx);
  });

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
