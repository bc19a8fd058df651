import type { SourceFault } from '../../../../domain/refresh/source-fault.js';
import { ProviderFailure } from '../../../../domain/errors/provider-failure.js';
import { readListing } from '../../../../activities/refresh/read-listing.js';
import type { ProviderTransaction } from '../../../../providers/contract/provider.js';
import { addDays, utcDay } from '../../../../domain/api/timestamps.js';
import type { ReadResource } from '../../../../providers/fdx/data/resource-reader.js';
import { fetchAccounts } from '../../../../providers/fdx/data/fetch-accounts.js';
import { fetchTransactions } from '../../../../providers/fdx/data/fetch-transactions.js';
import { listPages } from '../../../../providers/fdx/data/list-pages.js';
import { failureOfResource } from '../../../../providers/fdx/failure-table.js';
import type { FdxInstitution } from '../../../../providers/fdx/settings.js';
import { readJson } from '../../../../providers/http/read-json.js';
import { RemoteObject } from '../../../../providers/http/remote-object.js';

const BANK = { country: 'US', historyDays: 100 } as FdxInstitution;
const daysAgo = (days: number) => addDays(utcDay(new Date()), -days);
const faults: SourceFault[] = [];
const note = (fault: SourceFault) => void faults.push(fault);
beforeEach(() => void faults.splice(0));
const noting = { note };
const scope = { account: 'a', note };

/** A bank that responds by the path and the offset. */
function bankWith(
  answer: (path: string, query: Readonly<Record<string, string>>) => object | ProviderFailure,
) {
  const calls: { path: string; query: Readonly<Record<string, string>> }[] = [];
  const read: ReadResource = (path, query = {}, scope) => {
    calls.push({ path: path.join('/'), query });
    const answered = answer(path.join('/'), query);
    if (answered instanceof ProviderFailure) return Promise.reject(answered);
    const text = new TextEncoder().encode(JSON.stringify(answered));
    return Promise.resolve(
      new RemoteObject(readJson(text.buffer as ArrayBuffer), 'response', scope),
    );
  };
  return { read, calls };
}

const refusal = (status: number, code: string | null) =>
  failureOfResource(status, { code, isPage: false, retryAfter: undefined });
const down = () => new ProviderFailure('institution_down', 'down');
const account = (accountId: string, more = {}) => ({
  accountId,
  accountCategory: 'DEPOSIT_ACCOUNT',
  ...more,
});
const row = (transactionId: string, date = daysAgo(0)) => ({
  transactionId,
  status: 'POSTED',
  amount: 1,
  debitCreditMemo: 'DEBIT',
  postedTimestamp: date,
});

async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const page of pages) list.push(page);
  return list;
}

describe('A listing of an FDX bank', () => {
  const items = (answer: (offset: string | undefined) => object) =>
    all(listPages(bankWith((_, { offset }) => answer(offset)).read, ['accounts'], 'items', scope));

  it('is read until a page has no next one', async () => {
    const pages = items((offset) =>
      offset === undefined
        ? { items: [1], page: { nextOffset: 'b' } }
        : offset === 'b'
          ? { items: [], page: { nextOffset: 7 } }
          : { items: [offset], page: { nextOffset: null } },
    );
    expect((await pages).flat().map(String)).toEqual(['1', '7']);
  });

  it('without paging is one page', async () => {
    expect(await items(() => ({ items: ['a'] }))).toEqual([['a']]);
  });

  it('ends with a last page that names itself', async () => {
    const pages = await items((offset) => ({
      items: [offset ?? 'first'],
      page: { nextOffset: 'a' },
    }));
    expect(pages.flat()).toEqual(['first', 'a']);
    expect(faults).toEqual([]);
  });

  const incomplete = (reason: string) => [
    { scope: 'account', account: 'a', resource: 'page', field: 'nextOffset', reason },
  ];

  it('ends when its pages form a loop, and the account is incomplete', async () => {
    const pages = await items((offset) => ({
      items: [offset ?? 'first'],
      page: { nextOffset: offset === 'a' ? 'b' : 'a' },
    }));
    expect(pages.flat()).toEqual(['first', 'a', 'b']);
    expect(faults).toEqual(incomplete('repeated'));
  });

  it.each([
    ['empty', [], 10],
    ['full', ['x'], 50],
  ])('of %s pages that do not end is read up to a number of calls', async (_what, list, calls) => {
    let page = 0;
    await items(() => ({ items: list, page: { nextOffset: String((page += 1)) } }));
    expect(page).toBe(calls);
    expect(faults).toEqual(incomplete('endless'));
  });

  it('without its items is refused', async () => {
    await expect(items(() => ({ page: {} }))).rejects.toThrow('response.items');
  });
});

describe('The accounts of an FDX bank', () => {
  it('do not include closed ones', async () => {
    const { read } = bankWith((path) =>
      path === 'accounts'
        ? { accounts: [account('a'), account('b', { status: 'CLOSED' })] }
        : { currentBalance: 1 },
    );
    const { accounts } = await fetchAccounts(read, BANK, noting);
    expect(accounts.map(({ providerAccountId }) => providerAccountId)).toEqual(['a']);
  });

  it('with an error of their own, or without a response, are unreported', async () => {
    const { read } = bankWith((path) =>
      path === 'accounts'
        ? { accounts: [account('a', { error: { code: 501 } }), account('b'), account('c')] }
        : path === 'accounts/b'
          ? down()
          : { currentBalance: 1 },
    );
    const { accounts, unreported } = await fetchAccounts(read, BANK, noting);
    expect(accounts.map(({ providerAccountId }) => providerAccountId)).toEqual(['c']);
    expect(unreported).toEqual(['a', 'b']);
  });

  it('are a failure when none is reported', async () => {
    const { read } = bankWith((path) =>
      path === 'accounts' ? { accounts: [account('a'), account('b')] } : down(),
    );
    await expect(fetchAccounts(read, BANK, noting)).rejects.toMatchObject({
      providerCause: 'institution_down',
    });
  });

  it.each<[number, string | null]>([
    [400, null],
    [403, null],
    [403, '602'],
    [405, null],
    [408, null],
    [504, null],
  ])(
    'are read without one that is refused with the status %i and the code %s',
    async (...given) => {
      const { read } = bankWith((path) => {
        if (path === 'accounts') return { accounts: [account('a'), account('b'), account('c')] };
        return path === 'accounts/b' ? refusal(...given) : { currentBalance: 1 };
      });
      const { accounts, unreported } = await fetchAccounts(read, BANK, noting);
      expect(accounts.map(({ providerAccountId }) => providerAccountId)).toEqual(['a', 'c']);
      expect(unreported).toEqual(['b']);
    },
  );

  it.each<[number, string | null]>([
    [401, null],
    [403, '603'],
    [429, null],
    [400, '1207'],
  ])('are a failure as a whole after the status %i and the code %s', async (...given) => {
    const ended = refusal(...given);
    const { read, calls } = bankWith((path) =>
      path === 'accounts' ? { accounts: [account('a'), account('b')] } : ended,
    );
    await expect(fetchAccounts(read, BANK, noting)).rejects.toBe(ended);
    expect(calls).toHaveLength(2);
  });

  it('are a failure as a whole after two in succession that do not respond in time', async () => {
    const { read, calls } = bankWith((path) =>
      path === 'accounts'
        ? { accounts: [account('a'), account('b'), account('c')] }
        : new ProviderFailure('institution_timeout', 'silent'),
    );
    await expect(fetchAccounts(read, BANK, noting)).rejects.toMatchObject({
      providerCause: 'institution_timeout',
    });
    expect(calls).toHaveLength(3);
  });

  it('that two pages list count once', async () => {
    const { read } = bankWith((path) =>
      path === 'accounts' ? { accounts: [account('a'), account('a')] } : { currentBalance: 1 },
    );
    expect((await fetchAccounts(read, BANK, noting)).accounts).toHaveLength(1);
  });

  it('are read without one that has no id, and none of the others counts as gone', async () => {
    const { read } = bankWith((path) =>
      path === 'accounts' ? { accounts: [{}, account('b')] } : { currentBalance: 'much' },
    );
    const { accounts } = await fetchAccounts(read, BANK, noting);
    expect(accounts).toMatchObject([{ providerAccountId: 'b', current: null }]);
    expect(faults).toMatchObject([
      { scope: 'account', account: null, field: 'accountId' },
      { scope: 'value', account: 'b', field: 'currentBalance' },
    ]);
  });
});

describe('The rows of an FDX bank', () => {
  const rowsAt = (transactions: object[]) =>
    bankWith((path) => (path === 'accounts' ? { accounts: [account('a')] } : { transactions }));
  const window = (from: number, to = 0) => ({
    from: daysAgo(from),
    to: daysAgo(to),
  });

  it('are requested with days before and after, and kept by their own day', async () => {
    const { read, calls } = rowsAt([
      row('in', daysAgo(10)),
      row('before', daysAgo(21)),
      row('after', daysAgo(4)),
    ]);
    const pages = await all(fetchTransactions(read, BANK, window(20, 5), noting));
    expect(pages.flatMap(({ transactions }) => transactions)).toMatchObject([
      { providerTransactionId: 'a/in' },
    ]);
    expect(calls.at(-1)?.query).toMatchObject({
      startTime: daysAgo(27),
      endTime: daysAgo(4),
    });
  });

  it('are never requested for the future or before the history of the bank', async () => {
    const { read, calls } = rowsAt([]);
    const pages = await all(fetchTransactions(read, BANK, window(400), noting));
    expect(calls.at(-1)?.query).toEqual({ startTime: daysAgo(99), limit: '200' });
    expect(pages).toEqual([{ transactions: [], covered: window(99), unreported: [] }]);
  });

  it('of a window before the history are none, without a call', async () => {
    const { read, calls } = rowsAt([]);
    const pages = await all(fetchTransactions(read, BANK, window(400, 300), noting));
    expect(pages).toEqual([{ transactions: [], covered: null }]);
    expect(calls).toEqual([]);
  });

  it('count once when two pages list them, and twice when they belong to two accounts', async () => {
    const listed = rowsAt([row('x'), row('x')]).read;
    const once = await all(fetchTransactions(listed, BANK, window(5), noting));
    expect(once.flatMap(({ transactions }) => transactions)).toHaveLength(1);
    const { read } = bankWith((path) =>
      path === 'accounts'
        ? { accounts: [account('a'), account('b')] }
        : { transactions: [row('x')] },
    );
    const pages = await all(fetchTransactions(read, BANK, window(5), noting));
    expect(pages.flatMap(({ transactions }) => transactions)).toHaveLength(2);
  });

  const purchase = { ...row('x', daysAgo(3)), amount: 100, description: 'GARAGE' };
  const fee = { ...row('x', daysAgo(3)), amount: 3, description: 'FOREIGN FEE' };
  it.each([
    ['on one page', [[purchase, fee]]],
    ['on one page in the other order', [[fee, purchase]]],
    ['on two pages that overlap', [[purchase], [fee, purchase]]],
  ])('are all kept under ids of their own if they share one %s', async (_where, listed) => {
    const { read } = bankWith((path, { offset = '0' }) =>
      path === 'accounts'
        ? { accounts: [account('a')] }
        : {
            transactions: listed[Number(offset)] ?? [],
            page: { nextOffset: Number(offset) + 1 < listed.length ? Number(offset) + 1 : null },
          },
    );
    const pages = fetchTransactions(read, BANK, window(5), noting);
    const { transactions } = await readListing(pages, window(5), noting);
    const ids = (rows: readonly ProviderTransaction[]) =>
      rows.map(({ providerTransactionId: id, amount }) => `${amount.toFixed()} ${id}`).sort();
    expect(ids(transactions)).toEqual([
      expect.stringMatching(/^100 a\/x\/content:[\w-]{43}$/),
      expect.stringMatching(/^3 a\/x\/content:[\w-]{43}$/),
    ]);
    expect(new Set(ids(transactions).map((id) => id.split(' ')[1])).size).toBe(2);
    expect(faults.filter(({ scope: of }) => of !== 'value')).toEqual([]);
  });

  it('are kept before a page that fails, and their account is incomplete', async () => {
    const { read } = bankWith((path, { offset }) =>
      path === 'accounts'
        ? { accounts: [account('a'), account('b')] }
        : path.startsWith('accounts/a')
          ? offset === undefined
            ? { transactions: [row('x')], page: { nextOffset: '1' } }
            : down()
          : { transactions: [row('y')] },
    );
    const pages = await all(fetchTransactions(read, BANK, window(5), noting));
    expect(
      pages.flatMap(({ transactions }) => transactions.map((it) => it.providerTransactionId)),
    ).toEqual(['a/x', 'b/y']);
    expect(faults).toMatchObject([{ scope: 'account', account: 'a', reason: 'refused' }]);
  });

  it('are kept beside one that cannot be read, and their account is incomplete', async () => {
    const { read } = rowsAt([row('x'), { ...row('y'), amount: 'much' }, row('z')]);
    const pages = await all(fetchTransactions(read, BANK, window(5), noting));
    expect(pages.flatMap(({ transactions }) => transactions)).toHaveLength(2);
    expect(faults).toMatchObject([{ scope: 'row', account: 'a', field: 'amount' }]);
  });

  it('are not supported if the bank has none for any account', async () => {
    const { read } = bankWith((path) =>
      path === 'accounts'
        ? { accounts: [account('a')] }
        : new ProviderFailure('not_supported', 'none'),
    );
    await expect(all(fetchTransactions(read, BANK, window(5), noting))).rejects.toMatchObject({
      providerCause: 'not_supported',
    });
  });
});
