import { loadSql } from '../../../prisma/base/database/load-sql.js';
import {
  storeLink,
  TENANT,
  type StoredLink,
  storageOfFile,
  storage,
} from '../../support/fixtures/stored-link.js';

storageOfFile();

interface Plan {
  'Node Type': string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Relation Name'?: string;
  Plans?: Plan[];
}

/** 60 links with 2,000 versions each, so that the planner has something to choose. */
describe('The plans of the hot statements', () => {
  let link: StoredLink;
  beforeAll(async () => {
    const links = [];
    for (let index = 0; index < 60; index += 1) links.push(await storeLink(storage));
    const [first] = links;
    if (first === undefined) throw new Error('no link');
    link = first;
    await storage.ctx.database.pool.query(
      `INSERT INTO transaction_versions (link_pk, seq, next_seq, first_seq, born_pending, removed, transaction_id, account_id, provider_transaction_id,
                                         amount, type, currency, date, pending, content_hash, body)
       SELECT pk, seq, CASE WHEN seq % 5 = 0 AND seq < 2000 THEN seq + 1 END, seq, false, seq % 11 = 0, 'txn_' || seq, 'acc_' || pk || '_' || seq % 3, 'p' || seq, 1, 'debit', 'USD',
              date '2026-01-01' + (seq % 300)::int, false, '\\x00', repeat('x', 250)
         FROM unnest($1::bigint[]) AS pk, generate_series(1, 2000) AS seq`,
      [links.map(({ pk }) => pk)],
    );
    await storage.ctx.database.pool.query('UPDATE links SET head_seq = 2000');
    await storage.ctx.database.pool.query('ANALYZE');
  });

  async function scansOf(
    name: string,
    types: string,
    values: unknown[],
    planning: 'force_generic_plan' | 'force_custom_plan',
  ): Promise<string[]> {
    const client = await storage.ctx.database.pool.connect();
    try {
      await client.query(`SET plan_cache_mode = ${planning}`);
      await client.query(`PREPARE tried (${types}) AS ${loadSql(name)}`);
      const literals = values.map((value) =>
        value === null
          ? 'NULL'
          : Array.isArray(value)
            ? `'{${value.join(',')}}'`
            : `'${String(value)}'`,
      );
      const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
        `EXPLAIN (FORMAT JSON) EXECUTE tried (${literals.join(', ')})`,
      );
      const [top] = rows[0]?.['QUERY PLAN'] ?? [];
      return top === undefined ? [] : versionScans(top.Plan);
    } finally {
      client.release(true);
    }
  }

  /**
   * The means by which the rows of transaction_versions are found, with the condition that bounds
   * them.
   */
  function versionScans(plan: Plan): string[] {
    const own =
      plan['Relation Name'] === 'transaction_versions' || plan['Node Type'] === 'Bitmap Index Scan'
        ? [`${plan['Node Type']} ${plan['Index Name'] ?? ''} ${plan['Index Cond'] ?? ''}`.trim()]
        : [];
    return [...own, ...(plan.Plans ?? []).flatMap(versionScans)];
  }

  it.each(['force_generic_plan', 'force_custom_plan'] as const)(
    'reads a sync page by a range of (link_pk, seq): %s',
    async (planning) => {
      const scans = await scansOf(
        'sync-page',
        'text, text, text, bigint, bigint, bigint, int',
        [link.linkId, TENANT.appId, TENANT.environment, 100, 500, null, 50],
        planning,
      );
      expect(scans).toHaveLength(1);
      expect(scans[0]).toMatch(
        /^Index Scan transaction_versions_pkey .*link_pk = .*seq > .*seq <= /,
      );
    },
  );

  it.each(['force_generic_plan', 'force_custom_plan'] as const)(
    'reads a list page by the listing index: %s',
    async (planning) => {
      const scans = await scansOf(
        'transaction-list',
        'bigint, text[], date, date, int, bigint',
        [link.pk, null, '2026-03-01', '2026-04-01', 50, 0],
        planning,
      );
      expect(scans.length).toBeGreaterThan(1);
      for (const scan of scans) expect(scan).not.toMatch(/^Seq Scan/);
      expect(
        scans.filter((scan) => scan.includes('transaction_versions_listing')).length,
      ).toBeGreaterThan(1);
    },
  );

  it.each(['force_generic_plan', 'force_custom_plan'] as const)(
    'reads a page of a user by the listing index, link by link: %s',
    async (planning) => {
      const days = [
        ['2026-03-01', '2026-03-01'],
        ['2026-04-01', '2026-04-01'],
      ];
      const scans = await scansOf(
        'user-transactions',
        'bigint[], date[], date[], text[], text, text[], int, bigint',
        [[link.pk, link.pk + 1n], ...days, null, 'debit', null, 50, 0],
        planning,
      );
      expect(scans).not.toHaveLength(0);
      for (const scan of scans) expect(scan).toMatch(/transaction_versions_listing/);
    },
  );

  it.each([
    ['all accounts', false, 'force_generic_plan'],
    ['all accounts', false, 'force_custom_plan'],
    ['one account', true, 'force_generic_plan'],
    ['one account', true, 'force_custom_plan'],
  ] as const)(
    'reads a page of the Plaid stream of %s from its position, and where it ends by an index (%s, %s)',
    async (_, isOfAccount, planning) => {
      const types = 'bigint, text, text[], bigint, bigint, bigint, int, bigint[]';
      const served = [0, 1, 2].map((place) => `acc_${link.pk}_${place}`);
      const account = isOfAccount ? (served[1] ?? '') : null;
      const scans = await scansOf(
        'change-log',
        types,
        [link.pk, account, served, 100, 400, 500, 52, [100, 400]],
        planning,
      );
      const entries =
        isOfAccount && planning === 'force_custom_plan'
          ? 'transaction_versions_account'
          : 'transaction_versions_pkey';
      const end =
        !isOfAccount && planning === 'force_custom_plan' ? [] : ['transaction_versions_account'];
      const indexes = scans.map(
        (scan) => /^Index (?:Only )?Scan (?:Backward )?(\S+)/.exec(scan)?.[1],
      );
      expect(indexes.sort()).toEqual(
        [...end, 'transaction_versions_current', 'transaction_versions_replaced', entries].sort(),
      );
      expect(scans.filter((scan) => /seq > .*seq <= /.test(scan))).toHaveLength(1);
    },
  );

  it('finds the rows of a batch by the index of provider ids', async () => {
    const columns = [
      ['p1', 'p2'],
      ['t1', 't2'],
      ['acc', 'acc'],
      ['1', '1'],
      ['debit', 'debit'],
      ['USD', 'USD'],
      ['2026-01-01', '2026-01-01'],
      ['t', 't'],
      ['x', 'x'],
      ['00', '00'],
      'x\nx',
      ['o', 'o'],
      ['AA==', 'AA=='],
    ];
    const scans = await scansOf(
      'store-transactions',
      'bigint, text[], text[], text[], text[], text[], text[], text[], boolean[], text[], text[], text, text[], text[]',
      [link.pk, ...columns],
      'force_custom_plan',
    );
    expect(
      scans.some((scan) => scan.startsWith('Index Scan transaction_versions_current_provider_id')),
    ).toBe(true);
    for (const scan of scans) expect(scan).not.toMatch(/^Seq Scan/);
  });
});
