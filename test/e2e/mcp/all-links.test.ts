import fc from 'fast-check';
import { Tributary } from '../../../clients/node/src/index.js';
import { itInLongRuns } from '../../support/fixtures/long-runs.js';
import { service, serviceOfFile } from '../../support/fixtures/sandbox-service.js';
import { SEED } from '../../support/runner/seed.js';
import { openHttpGate, type HttpGate } from '../../support/services/http-gate.js';
import { McpServerProcess, readingPair } from './support/mcp-server.js';

interface Covering {
  as_of: string | null;
  links: { link_id: string }[];
  unread_links: { link_id: string; part: string; error_code: string | null; remedy: string }[];
  next_links_cursor: string | null;
}
interface Row {
  link_id: string;
  transaction_id: string;
  date: string;
  amount: number;
  currency: string;
}
interface Found extends Covering {
  transactions: Row[];
  next_cursor: string | null;
}
interface Account {
  link_id: string;
  account_id: string;
}
interface Group {
  group: string | null;
  link_id?: string;
  currency: string;
  count: number;
  debit: number;
  credit: number;
}
interface Summary extends Covering {
  complete: boolean;
  transactions: number;
  groups: Group[];
}

/** With the rows of sandbox banks, which follow the clock. */
const RANGE = { start_date: '2026-01-01', end_date: '2099-12-31' };
const CURRENCIES = ['USD', 'EUR', 'GBP'];

serviceOfFile();

let app: Tributary;
/** Between the server and the service. */
let gate: HttpGate;
let server: McpServerProcess;
/** Of the user ann, oldest first. */
let imported: string[];
let withoutTransactions: string;
let expired: string;
beforeAll(async () => {
  const { client_id: clientId, client_secret: clientSecret } = service.app.sandbox;
  app = new Tributary({ baseUrl: service.info.base_url, clientId, clientSecret });
  const [rows = []] = fc.sample(fc.array(importedRow, { minLength: 500, maxLength: 500 }), {
    seed: SEED,
    numRuns: 1,
  });
  imported = [
    await importLink('ann', rows.slice(0, 100)),
    await importLink('ann', rows.slice(100, 200)),
    // More than the server reads of a link at once.
    await importLink('ann', rows.slice(200)),
  ];
  const link = async (settings: Parameters<Tributary['sandbox']['createLink']>[0]) =>
    (await app.sandbox.createLink({ customer_user: { id: 'ann' }, ...settings })).link_id ?? '';
  withoutTransactions = await link({ products_settings: { identity: { required: true } } });
  expired = await link({});
  await app.sandbox.expireAuth(expired, { mode: 'now' });
  gate = await openHttpGate(() => service.info.base_url);
  server = await serverFor('ann');
});
afterEach(() => gate.reset());
afterAll(async () => {
  await server.close();
  await gate.close();
});

/** Many rows of the few days and amounts, in two accounts of different currencies. */
const importedRow = fc.record({
  account_id: fc.constantFrom('a', 'b'),
  amount: fc.integer({ min: -500, max: 500 }).map((cents) => `${(cents || 1) / 100}`),
  date: fc.integer({ min: 1, max: 6 }).map((day) => `2026-02-0${day}`),
  description: fc.constantFrom('Coffee', 'Rent', 'Salary'),
});
type ImportedRow = typeof importedRow extends fc.Arbitrary<infer Each> ? Each : never;

let imports = 0;
async function importLink(user: string, transactions: ImportedRow[]): Promise<string> {
  const [currency = '', other = ''] = [0, 1].map((step) => CURRENCIES[(imports + step) % 3]);
  imports += 1;
  const link = await app.links.import({
    customer_user: { id: user },
    institution_id: 'sandbox-instant-bank',
    accounts: [
      { account_id: 'a', name: 'Main', type: 'checking', balances: { currency } },
      { account_id: 'b', name: 'Other', type: 'savings', balances: { currency: other } },
    ],
    transactions,
  });
  return link.link_id;
}

async function serverFor(user: string, scopes?: readonly string[]): Promise<McpServerProcess> {
  const behindGate = { ...service, info: { ...service.info, base_url: gate.url } };
  return McpServerProcess.start('data', behindGate, await readingPair(service, user, scopes));
}

/** All pages of a search. */
async function searchAll(args: object): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: Found = await server.call('search_transactions', { ...RANGE, ...args, cursor });
    rows.push(...page.transactions);
    cursor = page.next_cursor;
  }
  return rows;
}

const summaryOf = (args: object) =>
  server.call<Summary>('summarize_transactions', { ...RANGE, ...args });

const newestFirst = (a: Row, b: Row) =>
  a.date === b.date
    ? Number(a.transaction_id > b.transaction_id) * 2 - 1
    : Number(a.date < b.date) * 2 - 1;

describe('Without link_id, the MCP server for data', () => {
  it('finds the rows that it finds in each link, newest first, whatever is searched', async () => {
    const search = fc.record(
      {
        text: fc.constantFrom('coffee', 'rent', 'nothing'),
        type: fc.constantFrom('debit', 'credit'),
        min_amount: fc.integer({ min: 0, max: 4 }),
        start_date: fc.constantFrom('2026-02-03', '2026-02-05'),
        end_date: fc.constant('2026-02-05'),
        limit: fc.constantFrom(13, 40, 100),
      },
      { requiredKeys: ['limit'] },
    );
    await fc.assert(
      fc.asyncProperty(search, async (args) => {
        const each = [];
        for (const link_id of [...imported, expired]) {
          const rows = await searchAll({ ...args, link_id });
          expect(rows.every((row) => row.link_id === link_id)).toBe(true);
          each.push(...rows);
        }
        expect(await searchAll(args)).toEqual(each.toSorted(newestFirst));
      }),
      { seed: SEED, numRuns: 12 },
    );
    expect(new Set((await searchAll({ limit: 100 })).map(({ link_id: id }) => id)).size).toBe(4);
  });

  it.each(['month', 'category', 'account', 'link'])(
    'adds up by %s what it adds up in each link, never two currencies',
    async (grouping) => {
      const sums = new Map<string, { count: number; debit: number; credit: number }>();
      let transactions = 0;
      for (const link_id of [...imported, expired]) {
        const summary = await summaryOf({ link_id, group_by: grouping });
        transactions += summary.transactions;
        for (const { group, currency, count, debit, credit } of summary.groups) {
          const key = `${group} ${currency}`;
          const sum = sums.get(key) ?? { count: 0, debit: 0, credit: 0 };
          sums.set(key, {
            count: sum.count + count,
            debit: Math.round((sum.debit + debit) * 100) / 100,
            credit: Math.round((sum.credit + credit) * 100) / 100,
          });
        }
      }
      const all = await summaryOf({ group_by: grouping });
      const found = all.groups.map(({ group, currency, count, debit, credit }) => [
        `${group} ${currency}`,
        { count, debit, credit },
      ]);
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(sums));
      expect(found).toHaveLength(sums.size);
      expect(all.transactions).toBe(transactions);
      const named = all.groups.every(({ link_id: id }) => id !== undefined);
      expect(named).toBe(['account', 'link'].includes(grouping));
    },
  );

  it('lists the accounts of every link, each with its link', async () => {
    const each = [];
    for (const link_id of [...imported, withoutTransactions, expired])
      each.push(
        ...(await server.call<{ accounts: Account[] }>('list_accounts', { link_id })).accounts,
      );
    const all = await server.call<Covering & { accounts: Account[] }>('list_accounts');
    expect(all.accounts).toEqual(each);
    expect(all).toMatchObject({ unread_links: [], next_links_cursor: null, next_offset: null });
  });

  it('shows the age of each link, reads one that waits for its owner, and names one without the product', async () => {
    const found = await server.call<Found>('search_transactions', RANGE);
    expect(found.links.map(({ link_id: id }) => id)).toEqual([...imported, expired]);
    expect(found.links.at(-1)).toMatchObject({
      as_of: expect.any(String),
      stale: true,
      state: 'error',
      error_code: 'auth_expired',
      untrusted_user_id: 'ann',
      untrusted_institution_name: expect.any(String),
    });
    expect(found).toMatchObject({
      stale: true,
      unread_links: [
        {
          link_id: withoutTransactions,
          part: 'transactions',
          error_code: 'link_error.forbidden_action',
          untrusted_problem: expect.stringContaining('transactions is not granted'),
          remedy: expect.stringContaining('Use another link'),
        },
      ],
    });
    expect(await summaryOf({})).toMatchObject({
      complete: false,
      unread_links: [{ link_id: withoutTransactions }],
    });
  });

  it('leaves out only the details that a link does not have', async () => {
    const knowing = await serverFor('ann', ['links:read', 'products:read', 'identity:read']);
    try {
      const { accounts, unread_links: unread } = await knowing.call<
        Covering & { accounts: (Account & { untrusted_owners?: unknown })[] }
      >('list_accounts', { include: ['owners'] });
      const owned = accounts.filter(({ untrusted_owners: owners }) => owners !== undefined);
      expect(new Set(owned.map(({ link_id: id }) => id))).toContain(withoutTransactions);
      expect(accounts.map(({ link_id: id }) => id)).toEqual(expect.arrayContaining(imported));
      expect(unread.map(({ link_id, part }) => [link_id, part])).toEqual(
        imported.map((id) => [id, 'owners']),
      );
    } finally {
      await knowing.close();
    }
  });

  it.each([
    ['whose response breaks off', ['lose_response', 'lose_response'], 'connection_failed'],
    ['for which the service fails', [{ respond: 500 }], 'http_error'],
    ['whose response has another form', [{ respond: 200, body: '{}' }], 'unexpected_response'],
  ] as const)('shows the other links beside one %s', async (_, faults, code) => {
    const [, broken = ''] = imported;
    gate.plan(`GET /links/${broken}/transactions`, ...faults);
    const found = await server.call<Found>('search_transactions', { ...RANGE, limit: 100 });
    expect(found.links.map(({ link_id: id }) => id)).toEqual([imported[0], imported[2], expired]);
    expect(found.unread_links).toMatchObject([
      { link_id: broken, error_code: code },
      { link_id: withoutTransactions },
    ]);
    const shown = new Set(found.transactions.map(({ link_id: id }) => id));
    expect(shown).toEqual(new Set([imported[0], imported[2], expired]));
  });

  it('leaves out every row of a link whose later rows cannot be read', async () => {
    const [first, second, broken] = imported;
    const expected = await summaryOf({ group_by: 'link' });
    gate.plan(`GET /links/${broken}/transactions`, 'pass', { respond: 500 });
    const found = await summaryOf({ group_by: 'link' });
    expect(found.links.map(({ link_id: id }) => id)).toEqual([first, second, expired]);
    expect(found.unread_links).toMatchObject([
      { link_id: broken, part: 'transactions' },
      { link_id: withoutTransactions },
    ]);
    expect(found.groups).toEqual(expected.groups.filter(({ group }) => group !== broken));
  });

  it('shows the other links when one is deleted after they were listed', async () => {
    const gone = await importLink('ann', []);
    gate.plan(`GET /links/${gone}/transactions`, { hold: () => app.links.delete(gone) });
    const found = await server.call<Found>('search_transactions', RANGE);
    expect(found.links).toHaveLength(4);
    expect(found.unread_links).toMatchObject([
      { link_id: withoutTransactions },
      { link_id: gone, error_code: 'link_error.deleted' },
    ]);
  });

  itInLongRuns('shows the other links in half a minute when one never responds', async () => {
    const [silent = ''] = imported;
    gate.plan(`GET /links/${silent}/transactions`, ...Array<'hang'>(5).fill('hang'));
    const found = await server.call<Found>('search_transactions', RANGE);
    expect(found.links).toHaveLength(3);
    expect(found.unread_links[0]).toMatchObject({ link_id: silent, error_code: 'timeout' });
  });

  it('reads 20 links at a time, and continues with the others', async () => {
    const ids: string[] = [];
    for (let link = 0; link < 23; link += 1)
      ids.push(
        await importLink('many', [
          { account_id: 'a', amount: '-1', date: '2026-02-01', description: 'Coffee' },
        ]),
      );
    const reader = await serverFor('many');
    try {
      const first = await reader.call<Summary>('summarize_transactions', RANGE);
      expect(first).toMatchObject({ transactions: 20, complete: false });
      const { next_links_cursor: cursor } = first;
      const rest = await reader.call<Summary>('summarize_transactions', {
        ...RANGE,
        links_cursor: cursor,
      });
      expect(rest).toMatchObject({ transactions: 3, complete: true, next_links_cursor: null });
      expect([...first.links, ...rest.links].map(({ link_id: id }) => id)).toEqual(ids);
      const args = { ...RANGE, links_cursor: cursor, limit: 2 };
      const found = await reader.call<Found>('search_transactions', args);
      const more = { ...args, cursor: found.next_cursor };
      const last = await reader.call<Found>('search_transactions', more);
      expect(last.next_cursor).toBeNull();
      const rows = [...found.transactions, ...last.transactions];
      expect(rows.map(({ link_id: id }) => id).sort()).toEqual(ids.slice(20).sort());
    } finally {
      await reader.close();
    }
  });

  it('works over no link for a key pair that reaches none', async () => {
    const reader = await serverFor('without-links');
    try {
      expect(await reader.call('search_transactions')).toEqual({
        as_of: null,
        stale: false,
        links: [],
        unread_links: [],
        next_links_cursor: null,
        transactions: [],
        next_cursor: null,
      });
    } finally {
      await reader.close();
    }
  });

  it('is offered only to key pairs that can list their links', async () => {
    const reader = await serverFor('ann', ['transactions:read']);
    try {
      for (const { name, inputSchema } of await reader.tools()) {
        expect(inputSchema.required).toContain('link_id');
        expect(inputSchema.properties).not.toHaveProperty('links_cursor');
        expect(await reader.failure(name, {})).toContain('link_id');
      }
      const [link_id] = imported;
      const { transactions } = await reader.call<Found>('search_transactions', {
        ...RANGE,
        link_id,
      });
      expect(transactions).toHaveLength(50);
    } finally {
      await reader.close();
    }
  });

  it('refuses positions that it did not return', async () => {
    const [link_id] = imported;
    const wrong: [object, string][] = [
      [{ link_id, links_cursor: 'x' }, 'links_cursor'],
      [{ links_cursor: 'x' }, 'cursor'],
      [{ cursor: '50' }, 'cursor: Is not the next_cursor'],
    ];
    for (const [args, place] of wrong) {
      const failure = await server.failure('search_transactions', { ...args });
      expect(failure).toContain(place);
      expect(failure).toMatch(/Correct/);
    }
  });
});

it('With link_id, the MCP server for data reports why the link cannot be read', async () => {
  expect(await server.failure('search_transactions', { link_id: withoutTransactions })).toContain(
    'transactions is not granted',
  );
});
