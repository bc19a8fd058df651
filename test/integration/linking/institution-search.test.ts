// cspell:ignore amercia chsae citi hcase sprngfield wellsfargo wels
import type { InstitutionFilter } from '../../../prisma/sources/institutions/institution-availability.js';
import { loadSql } from '../../../prisma/base/database/load-sql.js';
import { TENANT, type Store, storeOfFile, store } from '../../support/fixtures/linking-store.js';

const MANY = 10_000;
const NAMES = [
  'Chase',
  'Wells Fargo',
  'Bank of America',
  'Citibank',
  'M&T Bank',
  'Crédit Agricole',
  "Lloyd's Bank",
  'JPMorgan',
  'Silver Lake Chase Trust',
  'America First Credit Union',
];

storeOfFile();
beforeAll(async () => {
  const entry = (
    name: string,
    over: Partial<Parameters<Store['institutions']['syncCatalog']>[1][number]> = {},
  ) => ({
    institutionId: name.toLowerCase().replaceAll(/[^a-z]+/g, '-'),
    remoteId: name,
    name,
    country: 'US',
    domain: null,
    color: null,
    colorDark: null,
    isFeatured: false,
    environment: 'live' as const,
    login: 'credentials' as const,
    products: ['accounts', 'transactions'] as const,
    aliases: [],
    ...over,
  });
  await store.institutions.syncCatalog('north', [
    ...NAMES.map((name) =>
      entry(name, {
        isFeatured: name === 'Citibank',
        domain: name === 'Wells Fargo' ? 'wellsfargo.com' : null,
      }),
    ),
    entry('Maple Bank', { country: 'CA', login: 'oauth' }),
    entry('Thames Bank', { country: 'GB', products: ['accounts'] }),
    entry('Albion Bank', { country: 'GB', isFeatured: true }),
  ]);
  await store.institutions.syncCatalog('south', [
    entry('Southern Chase Union', { products: ['accounts', 'identity'] }),
  ]);
  // A real catalog beside them: none of its words is one of the names above.
  await store.ctx.database.pool.query(
    `WITH made AS (
       INSERT INTO institutions (institution_id, name, country, environment, login, is_featured, search_text)
       SELECT 'made-' || n, 'Made ' || n, (ARRAY['US', 'GB', 'CA'])[1 + n % 3], 'live', 'credentials', n % 500 = 0,
              (ARRAY['first', 'national', 'community', 'peoples', 'farmers', 'united', 'heritage', 'pacific', 'summit', 'river'])[1 + (n * 7) % 10] || ' ' ||
              (ARRAY['savings', 'credit union', 'mutual', 'federal', 'building society'])[1 + (n * 3) % 5] || ' ' ||
              (ARRAY['springfield', 'madison', 'franklin', 'clinton', 'georgetown', 'salem', 'fairview', 'bristol', 'dover', 'oxford'])[1 + (n / 50) % 10] || ' ' || n
         FROM generate_series(1, $1::int) AS n
       RETURNING institution_id)
     INSERT INTO institution_routes (institution_id, provider, remote_id, login, products) SELECT institution_id, 'north', institution_id, 'form', '{accounts,transactions}' FROM made`,
    [MANY],
  );
  await store.ctx.database.pool.query('ANALYZE');
});

const ANY: InstitutionFilter = {
  tenant: { ...TENANT, environment: 'live' },
  environments: ['live'],
  countries: ['US'],
  providers: [],
  requiredProducts: [],
  oauthPossible: true,
};
const search = async (
  query: string,
  filter: Partial<InstitutionFilter> = {},
  over: { country?: string; limit?: number; cursor?: string | null } = {},
) => {
  const { institutions, next } = await store.institutions.search(
    { ...ANY, ...filter },
    { query, country: over.country ?? null, cursor: over.cursor ?? null, limit: over.limit ?? 20 },
  );
  return { names: institutions.map(({ name }) => name), next };
};
const names = async (...args: Parameters<typeof search>) => (await search(...args)).names;

describe('The search for an institution', () => {
  it.each([
    ['chase', ['Chase', 'Silver Lake Chase Trust', 'Southern Chase Union']],
    ['CHA', ['Chase', 'Silver Lake Chase Trust', 'Southern Chase Union']],
    ['  wells   far', ['Wells Fargo']],
    ['wellsfargo.com', ['Wells Fargo']],
    ['credit agric', ['Crédit Agricole']],
    ['lloyds', ["Lloyd's Bank"]],
    ['m & t', ['M&T Bank']],
    ['citi', ['Citibank']],
  ])(
    '%j matches the start of a name, then the start of a word in it: %j',
    async (query, expected) => expect(await names(query)).toEqual(expected),
  );

  it.each([
    ['hcase', 'Chase'],
    ['chsae', 'Chase'],
    ['wels fargo', 'Wells Fargo'],
    ['fargo wells', 'Wells Fargo'],
    ['bank of amercia', 'Bank of America'],
    ['citybank', 'Citibank'],
    ['jp morgan', 'JPMorgan'],
    ['credit agrikol', 'Crédit Agricole'],
  ])('%j finds %j despite the typo', async (query, expected) =>
    expect((await names(query))[0]).toBe(expected),
  );

  it('lists exact matches before near matches', async () => {
    expect((await names('america')).slice(0, 2)).toEqual([
      'America First Credit Union',
      'Bank of America',
    ]);
  });

  it.each(['zzzzzz', '%', '____', '\\', "'; --", 'xq'])('%j finds nothing', async (query) =>
    expect(await search(query)).toEqual({ names: [], next: null }),
  );

  it('lists featured institutions first for an empty query, then those of the first country', async () => {
    const { names: first } = await search('', { countries: ['GB', 'US'] }, { limit: 50 });
    const featured = await store.ctx.database.prisma.institution.findMany({
      where: { environment: 'live', isFeatured: true, country: { in: ['GB', 'US'] } },
      select: { name: true, country: true },
    });
    const shown = first
      .slice(0, featured.length)
      .map((name) => featured.find((row) => row.name === name)?.country);
    expect(shown).toEqual([
      ...shown.filter((country) => country === 'GB'),
      ...shown.filter((country) => country === 'US'),
    ]);
    expect(shown).toContain('US');
    expect(first[featured.length]).toMatch(/^Made|Albion|Thames/);
  });

  it.each<[string, string, Partial<InstitutionFilter>, string[]]>([
    ['countries', 'maple', { countries: ['US', 'GB'] }, []],
    [
      'countries, in their order',
      'ba',
      { countries: ['GB', 'CA', 'US'], providers: ['north'] },
      ['Bank of America', 'Albion Bank', 'Thames Bank', 'Maple Bank', "Lloyd's Bank", 'M&T Bank'],
    ],
    ['no countries at all', 'maple', { countries: [] }, ['Maple Bank']],
    ['providers', 'chase', { providers: ['south'] }, ['Southern Chase Union']],
    ['required products', 'chase', { requiredProducts: ['identity'] }, ['Southern Chase Union']],
    [
      'a provider that lacks the product',
      'chase',
      { providers: ['north'], requiredProducts: ['identity'] },
      [],
    ],
    ['a session without redirect_uri', 'maple', { countries: ['CA'], oauthPossible: false }, []],
    ['the other environment', 'chase', { environments: ['sandbox'] }, []],
    ['both environments', 'second', { environments: ['live', 'sandbox'] }, ['second-bank']],
  ])('is narrowed by %s', async (_what, query, filter, expected) =>
    expect(await names(query, filter)).toEqual(expected),
  );

  it('is narrowed to one country of the session', async () => {
    expect(await names('ba', { countries: ['US', 'CA'] }, { country: 'CA' })).toEqual([
      'Maple Bank',
    ]);
    expect(await names('ba', { countries: ['US'] }, { country: 'CA' })).toEqual([]);
  });

  it.each(['', 'f', 'springfield', 'sprngfield', 'chase', 'chsae'])(
    'of %j returns every institution once over all pages, in one order',
    async (query) => {
      const filter = { countries: ['US', 'CA'] };
      const all: string[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof search>> = await search(query, filter, {
          limit: 37,
          cursor,
        });
        all.push(...page.names);
        cursor = page.next;
      } while (cursor !== null && all.length < 300);
      expect(new Set(all).size).toBe(all.length);
      expect((await search(query, filter, { limit: 50 })).names).toEqual(all.slice(0, 50));
    },
  );

  it.each([
    'x',
    'bWF0Y2hlcw',
    Buffer.from('matches:-1').toString('base64url'),
    Buffer.from('elsewhere:1').toString('base64url'),
  ])('refuses the cursor %j', async (cursor) => {
    await expect(search('', {}, { cursor })).rejects.toBeInstanceOf(RangeError);
  });
});

interface Plan {
  'Node Type': string;
  'Index Name'?: string;
  'Relation Name'?: string;
  Plans?: Plan[];
}

describe(`among ${MANY} institutions`, () => {
  async function scans(name: string, values: unknown[]): Promise<string[]> {
    const { rows } = await store.ctx.database.pool.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `EXPLAIN (FORMAT JSON) ${loadSql(name)}`,
      values,
    );
    const walk = (plan: Plan): string[] => [
      ...(plan['Index Name'] === undefined && plan['Relation Name'] !== 'institutions'
        ? []
        : [`${plan['Node Type']} ${plan['Index Name'] ?? ''}`.trim()]),
      ...(plan.Plans ?? []).flatMap(walk),
    ];
    return rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => walk(Plan)));
  }
  const scope = [['live'], ['US', 'GB'], [], ['accounts'], true, 'pocket-ledger', 'live'];

  it.each<[name: string, values: unknown[], index: string]>([
    ['institution-browse', [21, 0], 'institutions_browse'],
    ['institution-matches', [21, 0, 'chase'], 'institutions_(matches|similar)'],
    ['institution-similar', [100, 'chsae'], 'institutions_similar'],
  ])('%s %j is served from an index', async (name, values, index) => {
    const found = await scans(name, [...scope, ...values]);
    expect(found).toEqual(
      expect.arrayContaining([expect.stringMatching(new RegExp(` ${index}$`))]),
    );
    expect(found).not.toContain('Seq Scan');
  });
});
