// cspell:ignore comunity fedral
import type { ListedInstitution } from '../../domain/institutions/listed-institution.js';
import { CatalogRepository } from '../../prisma/sources/catalog/catalog.repository.js';
import { InstitutionRepository } from '../../prisma/sources/institutions/institution.repository.js';
import { largeLists } from '../support/fixtures/large-lists.js';
import { openStorage, TENANT, type Storage } from '../support/fixtures/stored-link.js';
import { readOptions } from './support/options.js';
import { Report } from './support/report.js';
import { spreadOf } from './support/rounds.js';
import { searchSingleList } from './support/single-list-search.js';

// 20,000 institutions that three configurations list: the time to store and join their lists,
// compared to a copy of the rows within the database, and to find that nothing changed; and the
// time of a search, compared to the search of one list without configurations.
const INSTITUTIONS = 20_000;
const SEARCHES_A_ROUND = 300;
const SYNC_GOAL_MS = 60_000;
const UNCHANGED_GOAL_MS = 15_000;
const SEARCH_GOAL = 1.2;
const TABLES = ['catalog_entries', 'institutions', 'institution_routes', 'institution_aliases'];
const COUNTRIES = ['US', 'GB', 'CA', 'DE', 'FI'];
const QUERIES = [
  '',
  'f',
  'spring',
  'community',
  'springfield',
  'first savings bank',
  'comunity credit',
  'fedral bank oxford',
  'number 123',
  'zzzzzz',
];

const options = readOptions();
const report = new Report('catalog');
const lists = largeLists(INSTITUTIONS);
const [first] = lists;
if (first === undefined) throw new Error('there is no list');

const several = await openStorage();
const single = await openStorage();
try {
  for (const name of lists.keys())
    await several.ctx.database.prisma.providerConfiguration.create({
      data: { name, adapter: 'enable-banking', environment: 'live', settings: {} },
    });
  await several.ctx.database.prisma.appProvider.createMany({
    data: [...lists.keys()].map((provider, position) => ({
      appId: TENANT.appId,
      provider,
      position,
    })),
  });
  await measureSync();
  await sync(single, [first]);
  for (const { ctx } of [several, single]) await ctx.database.pool.query('VACUUM (ANALYZE)');
  await measureSearch();
  report.end(options.json);
} finally {
  await several.close();
  await single.close();
}

async function measureSync(): Promise<void> {
  const syncMs = await sync(several, lists);
  const entries = [...lists.values()].flat().length;
  const copyMs = await copyRows();
  report.note(
    'sync',
    { entries, syncMs, copyMs, ratio: syncMs / copyMs },
    `${entries} entries of three lists stored in ${seconds(syncMs)}, ${(syncMs / copyMs).toFixed(1)} × a copy of the rows within the database (${seconds(copyMs)})${verdict(syncMs <= SYNC_GOAL_MS)}`,
  );
  const times: number[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const before = await written();
    times.push(await sync(several, lists));
    if ((await written()) !== before) throw new Error('unchanged lists wrote rows');
  }
  const spread = spreadOf(times);
  report.note(
    'unchanged',
    spread,
    `the same lists again: no row written, ${seconds(spread.median)} (${seconds(spread.min)}–${seconds(spread.max)})${verdict(spread.max <= UNCHANGED_GOAL_MS)}`,
  );
}

/** Milliseconds. */
async function sync(
  { ctx }: Storage,
  of: Iterable<[string, readonly ListedInstitution[]]>,
): Promise<number> {
  const catalog = new CatalogRepository(ctx);
  const startedAt = performance.now();
  for (const [provider, entries] of of)
    await catalog.switchTo({ provider, environment: 'live', entries, acceptLosses: false });
  return performance.now() - startedAt;
}

/**
 * The milliseconds that PostgreSQL needs to write the rows with their indexes, without any of our
 * work.
 */
async function copyRows(): Promise<number> {
  const { pool } = several.ctx.database;
  for (const table of TABLES)
    await pool.query(`CREATE TABLE copied_${table} (LIKE ${table} INCLUDING ALL)`);
  const startedAt = performance.now();
  for (const table of TABLES)
    await pool.query(`INSERT INTO copied_${table} SELECT * FROM ${table}`);
  const took = performance.now() - startedAt;
  for (const table of TABLES) await pool.query(`DROP TABLE copied_${table}`);
  return took;
}

/** Changes with every row of the catalog that is written. */
async function written(): Promise<string> {
  const digests: string[] = [];
  for (const table of TABLES) {
    const { rows } = await several.ctx.database.pool.query<{ digest: string | null }>(
      `SELECT md5(string_agg(ctid::text || xmin::text, ' ' ORDER BY ctid)) AS digest FROM ${table}`,
    );
    digests.push(rows[0]?.digest ?? 'empty');
  }
  return digests.join(' ');
}

async function measureSearch(): Promise<void> {
  const institutions = new InstitutionRepository(several.ctx);
  const subjects = {
    before: (query: string) => searchSingleList(single.ctx, COUNTRIES, query),
    now: async (query: string) => {
      const found = await institutions.search(
        {
          tenant: { ...TENANT, environment: 'live' },
          environments: ['live'],
          countries: COUNTRIES,
          providers: [],
          requiredProducts: [],
          oauthPossible: true,
        },
        { query, country: null, cursor: null, limit: 20 },
      );
      return found.institutions.length;
    },
  };
  for (const query of QUERIES)
    if ((await subjects.before(query)) !== (await subjects.now(query)))
      throw new Error(`the searches for "${query}" differ`);
  const ratios: number[] = [];
  const p99: Record<keyof typeof subjects, number[]> = { before: [], now: [] };
  for (let round = 0; round < options.rounds; round += 1) {
    // In turns, search by search, so that other load affects both.
    const times: Record<keyof typeof subjects, number[]> = { before: [], now: [] };
    for (let search = 0; search < SEARCHES_A_ROUND; search += 1) {
      const query = QUERIES[search % QUERIES.length] ?? '';
      for (const name of search % 2 === 0
        ? (['before', 'now'] as const)
        : (['now', 'before'] as const)) {
        const startedAt = performance.now();
        await subjects[name](query);
        times[name].push(performance.now() - startedAt);
      }
    }
    for (const name of ['before', 'now'] as const) p99[name].push(percentile(times[name], 0.99));
    ratios.push((p99.now.at(-1) ?? Number.NaN) / (p99.before.at(-1) ?? Number.NaN));
  }
  const ratio = spreadOf(ratios);
  const [before, now] = [spreadOf(p99.before), spreadOf(p99.now)];
  report.note(
    'search',
    { before, now, ratio },
    `search, 99 %: ${now.median.toFixed(1)} ms, ${ratio.median.toFixed(2)} (${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)}) of one list (${before.median.toFixed(1)} ms)${verdict(ratio.median <= SEARCH_GOAL)}`,
  );
}

function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function verdict(reached: boolean): string {
  return reached ? '; goal reached' : '; goal MISSED';
}
