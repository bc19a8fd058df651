import { Tributary } from '../../../clients/node/src/index.js';
import { eventually } from '../../support/assertions/eventually.js';
import { service, serviceOfFile } from '../../support/fixtures/sandbox-service.js';
import { McpServerProcess, readingPair } from './support/mcp-server.js';

interface Row {
  date: string;
  amount: number;
  type: string;
  currency: string;
  untrusted_description: string;
}

interface Held {
  account_id: string;
  value: number;
}

interface HeldAccount {
  account_id: string;
  holdings_value: number;
}

serviceOfFile();

let app: Tributary;
let server: McpServerProcess;
let linkId: string;
let brokenId: string;
beforeAll(async () => {
  const { client_id: clientId, client_secret: clientSecret } = service.app.sandbox;
  app = new Tributary({ baseUrl: service.info.base_url, clientId, clientSecret });
  const link = async (user: string) =>
    (await app.sandbox.createLink({ customer_user: { id: user } })).link_id ?? '';
  [linkId, brokenId] = [await link('ann'), await link('ann')];
  await link('bob');
  await app.sandbox.expireAuth(brokenId, { mode: 'now' });
  server = await McpServerProcess.start('data', service, await readingPair(service, 'ann'));
});
afterAll(() => server.close());

describe('The MCP server for data', () => {
  it('has ten tools, all of which only read and none of which takes an address', async () => {
    const tools = await server.tools();
    expect(tools.map(({ name }) => name)).toEqual([
      'list_links',
      'get_link',
      'explain_link',
      'list_accounts',
      'search_transactions',
      'summarize_transactions',
      'get_recurring',
      'get_holdings',
      'get_investment_transactions',
      'get_liabilities',
    ]);
    for (const { annotations, inputSchema } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true });
      expect(inputSchema).toMatchObject({ additionalProperties: false });
      expect(JSON.stringify(inputSchema)).not.toMatch(/ur[il]|webhook|address/i);
    }
  });

  it('lists the links of the users that its key pair reaches, and no others', async () => {
    const { links, ...rest } = await server.call<{ links: object[] }>('list_links');
    expect(links).toMatchObject([{ link_id: linkId }, { link_id: brokenId, stale: true }]);
    expect(rest).toMatchObject({ as_of: expect.any(String), stale: true, next_cursor: null });
  });

  it('explains what is broken about a link, who can repair it, and how', async () => {
    expect(await server.call('explain_link', { link_id: linkId })).toMatchObject({
      works: true,
      stale: false,
      next_step: null,
    });
    expect(await server.call('explain_link', { link_id: brokenId })).toMatchObject({
      works: false,
      stale: true,
      error_code: 'auth_expired',
      repaired_by: 'account owner',
      next_step: expect.stringContaining('existing_link_id'),
      products: expect.arrayContaining([
        expect.objectContaining({ product: 'transactions', stale: true }),
      ]),
    });
  });

  it('searches transactions by text, amount and direction, page by page', async () => {
    const all = await server.call<{ transactions: Row[] }>('search_transactions', {
      link_id: linkId,
      limit: 100,
    });
    expect(all).toMatchObject({ as_of: expect.any(String), stale: false, next_cursor: null });
    const found: Row[] = [];
    let next: string | null | undefined;
    while (next !== null) {
      const page: { transactions: Row[]; next_cursor: string | null } = await server.call(
        'search_transactions',
        { link_id: linkId, type: 'debit', min_amount: 10, limit: 7, cursor: next },
      );
      expect(page.transactions.length).toBeLessThanOrEqual(7);
      found.push(...page.transactions);
      next = page.next_cursor;
    }
    expect(found.length).toBeGreaterThan(7);
    expect(found).toEqual(
      all.transactions.filter(({ type, amount }) => type === 'debit' && amount >= 10),
    );
    const [{ untrusted_description: text } = { untrusted_description: '' }] = found;
    const named = await server.call<{ transactions: Row[] }>('search_transactions', {
      link_id: linkId,
      text: text.toUpperCase(),
    });
    expect(named.transactions).toContainEqual(found[0]);
  });

  it('adds transactions up without errors of rounding', async () => {
    const { transactions } = await server.call<{ transactions: Row[] }>('search_transactions', {
      link_id: linkId,
      limit: 100,
    });
    const { groups, ...rest } = await server.call<{
      groups: { group: string; debit: number; credit: number; count: number }[];
    }>('summarize_transactions', { link_id: linkId, group_by: 'month' });
    expect(rest).toMatchObject({ complete: true, transactions: transactions.length, stale: false });
    for (const { group, debit, credit, count } of groups) {
      const rows = transactions.filter(({ date }) => date.startsWith(group));
      const cents = (type: string) =>
        rows
          .filter((row) => row.type === type)
          .reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
      expect({ debit, credit, count }).toEqual({
        debit: cents('debit') / 100,
        credit: cents('credit') / 100,
        count: rows.length,
      });
    }
  });

  it('returns at most 100 rows', async () => {
    const link = await app.links.import({
      customer_user: { id: 'ann' },
      institution_id: 'sandbox-instant-bank',
      accounts: [
        { account_id: 'a', name: 'Main', type: 'checking', balances: { currency: 'USD' } },
      ],
      transactions: Array.from({ length: 150 }, (_, index) => ({
        account_id: 'a',
        amount: 1,
        date: '2026-02-01',
        description: `Row ${index}`,
      })),
    });
    const range = { link_id: link.link_id, start_date: '2026-01-01', end_date: '2026-03-01' };
    const first = await server.call<{ transactions: Row[] }>('search_transactions', {
      ...range,
      limit: 100,
    });
    expect(first).toMatchObject({ next_cursor: expect.stringMatching(/^2026-02-01\/txn_\w+$/) });
    expect(first.transactions).toHaveLength(100);
    expect(await server.failure('search_transactions', { ...range, limit: 101 })).toMatch(
      /^The arguments are wrong: limit: .+ Correct them and call the tool again\.$/,
    );
  });

  it('shows numbers and owners only to key pairs with their scopes', async () => {
    const accounts = await server.call('list_accounts', { link_id: linkId });
    expect(accounts).toMatchObject({ stale: false, next_offset: null });
    expect(JSON.stringify(accounts)).not.toMatch(/untrusted_(numbers|owners)/);
    expect(
      await server.failure('list_accounts', { link_id: linkId, include: ['numbers'] }),
    ).toMatch(/^The arguments are wrong/);
    const scopes = ['products:read', 'numbers:read', 'identity:read'];
    const pair = await readingPair(service, 'ann', scopes);
    const knowing = await McpServerProcess.start('data', service, pair);
    try {
      const result = await knowing.call<{ accounts: object[] }>('list_accounts', {
        link_id: linkId,
        include: ['numbers', 'owners'],
      });
      expect(result.accounts[0]).toMatchObject({
        untrusted_numbers: { ach: [{ account_number: expect.any(String) }] },
        untrusted_owners: [{ names: [expect.any(String)] }],
      });
    } finally {
      await knowing.close();
    }
  });

  it('reads investments and debts with key pairs that name their scopes', async () => {
    const { link_id: id } = await app.sandbox.createLink({
      customer_user: { id: 'cid' },
      settings: { products: ['accounts', 'investments', 'liabilities'] },
    });
    const scopes = ['links:read', 'investments:read', 'liabilities:read'];
    const owning = await McpServerProcess.start(
      'data',
      service,
      await readingPair(service, 'cid', scopes),
    );
    try {
      const held = await owning.call<{ holdings: Held[]; accounts: HeldAccount[] }>('get_holdings');
      expect(held).toMatchObject({ stale: false, links: [{ link_id: id }], next_offset: null });
      expect(held.accounts.length).toBeGreaterThan(1);
      for (const { account_id: account, holdings_value: value } of held.accounts) {
        const cents = held.holdings
          .filter((each) => each.account_id === account)
          .reduce((sum, each) => sum + Math.round(each.value * 100), 0);
        expect(cents / 100).toBe(value);
      }
      expect(await owning.call('get_liabilities', { link_id: id })).toMatchObject({
        stale: false,
        liabilities: expect.arrayContaining([
          expect.objectContaining({ link_id: id, kind: 'mortgage', balance: expect.any(Number) }),
        ]),
      });
      const { investment_transactions: rows } = await owning.call<{
        investment_transactions: { date: string }[];
      }>('get_investment_transactions', { link_id: id });
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.map(({ date }) => date)).toEqual(
        rows
          .map(({ date }) => date)
          .toSorted()
          .toReversed(),
      );
    } finally {
      await owning.close();
    }
  });

  it.each([
    ['an unknown link', 'get_link', { link_id: 'mk_unknown' }, 'Look the id up'],
    ['an id that is no part of a path', 'get_link', { link_id: '..' }, 'An id cannot be'],
    ['an unknown argument', 'list_links', { webhook: 'https://evil.example' }, 'webhook'],
    ['a missing argument', 'get_link', {}, 'link_id'],
    [
      'a reversed range',
      'search_transactions',
      { start_date: '2026-02-02', end_date: '2026-02-01' },
      'start_date',
    ],
  ])('says what is wrong with %s and what to do next', async (_, tool, args, text) => {
    const link = tool === 'search_transactions' ? { link_id: linkId } : {};
    const failure = await server.failure(tool, { ...link, ...args });
    expect(failure).toContain(text);
    expect(failure).toMatch(/Correct|Look/);
    expect(failure).not.toMatch(/\n|\bat .+:\d+/);
  });

  it('logs the name of the tool of each call and nothing else', async () => {
    const before = server.log().length;
    await server.call('search_transactions', { link_id: linkId, text: 'canary' });
    await server.failure('get_link', { link_id: 'canary' });
    await server.failure('list_links', { limit: 'canary' });
    const lines = ['search_transactions', 'get_link', 'list_links']
      .map((tool) => `tributary-mcp-data: ${tool}\n`)
      .join('');
    // The log is a stream of its own, so a result can arrive before the line of its call.
    await eventually(() => expect(server.log().slice(before)).toBe(lines));
  });
});
