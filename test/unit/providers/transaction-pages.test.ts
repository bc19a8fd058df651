import { readListing } from '../../../activities/refresh/read-listing.js';
import type { BankCall } from '../../../providers/sandbox/client/bank-client.js';
import { encodeCredential } from '../../../providers/sandbox/client/credential.js';
import { fetchTransactions } from '../../../providers/sandbox/data/fetch-transactions.js';
import type { SourceFault } from '../../../domain/refresh/source-fault.js';
import { accessWith } from '../../support/fixtures/provider-calls.js';

const window = { from: '2026-02-01', to: '2026-03-01' };
const faults: SourceFault[] = [];
beforeEach(() => void faults.splice(0));
const access = {
  ...accessWith(
    {
      credential: encodeCredential({ connectionId: 'con_1', accessToken: 'at_1' }),
      reference: 'con_1',
    },
    'sandbox-instant-bank',
  ),
  note: (fault: SourceFault) => void faults.push(fault),
};

function row(id: string, date = '2026-02-03') {
  return {
    transaction_id: id,
    account_id: 'acct_1',
    direction: 'OUT',
    amount: '1.00',
    currency: 'USD',
    booking_date: date,
    local_datetime: null,
    status: 'BOOKED',
    description: null,
    statement_text: null,
    category: null,
  };
}

const idsOf = (pages: Awaited<ReturnType<typeof read>>) =>
  pages.flatMap(({ transactions }) =>
    transactions.map(({ providerTransactionId }) => providerTransactionId),
  );

/** Reads all pages from a bank that responds as announced. */
async function read(answer: (call: BankCall, page: number) => object) {
  let page = 0;
  const callBank = (call: BankCall) =>
    Promise.resolve({ covered: window, next_page_token: null, ...answer(call, page++) });
  const pages = [];
  for await (const read of fetchTransactions(callBank, access, window)) pages.push(read);
  return pages;
}

describe('Transaction pages of the sandbox bank', () => {
  it('are followed by their tokens', async () => {
    const asked: unknown[] = [];
    const pages = await read((call, page) => {
      asked.push(call.query?.['page_token']);
      return {
        transactions: [row(`tx_${page}`)],
        next_page_token: page < 2 ? `after-${page}` : null,
      };
    });
    expect(asked).toEqual([undefined, 'after-0', 'after-1']);
    expect(
      pages.flatMap((page) =>
        page.transactions.map((transaction) => transaction.providerTransactionId),
      ),
    ).toEqual(['tx_0', 'tx_1', 'tx_2']);
  });

  it('state the days that the bank still has', async () => {
    const covered = { from: '2026-02-10', to: '2026-03-01' };
    expect(await read(() => ({ transactions: [], covered }))).toEqual([
      { transactions: [], covered },
    ]);
    expect(await read(() => ({ transactions: [], covered: null }))).toEqual([
      { transactions: [], covered: null },
    ]);
  });

  it.each([
    [
      'form a loop',
      'repeated',
      (_: BankCall, page: number) => ({
        transactions: [row(`tx_${page}`)],
        next_page_token: page % 2 === 0 ? 'one' : 'other',
      }),
      ['tx_0', 'tx_1', 'tx_2'],
    ],
    [
      'never end',
      'endless',
      (_: BankCall, page: number) => ({ transactions: [], next_page_token: `after-${page}` }),
      [],
    ],
    [
      'repeat a row for ever',
      'endless',
      (_: BankCall, page: number) => ({
        transactions: [row('tx_1')],
        next_page_token: `after-${page}`,
      }),
      ['tx_1'],
    ],
  ])('end when they %s, and make their accounts incomplete', async (_, reason, answer, ids) => {
    const pages = await read(answer);
    expect(idsOf(pages)).toEqual(ids);
    expect(faults).toEqual([
      { scope: 'account', account: null, resource: 'page', field: 'next_page_token', reason },
    ]);
  });

  it('end with a last page that repeats its own token', async () => {
    const pages = await read((_, page) => ({
      transactions: [row(`tx_${page}`)],
      next_page_token: 'again',
    }));
    expect(idsOf(pages)).toEqual(['tx_0', 'tx_1']);
    expect(faults).toEqual([]);
  });

  it('end with a token that is not text, and make their accounts incomplete', async () => {
    expect(idsOf(await read(() => ({ transactions: [row('tx_1')], next_page_token: 7 })))).toEqual([
      'tx_1',
    ]);
    expect(faults).toMatchObject([{ scope: 'account', account: null, field: 'next_page_token' }]);
  });

  it('have no row outside the window, and each row once', async () => {
    const transactions = [
      row('tx_1', '2026-01-31'),
      row('tx_2', '2026-03-02'),
      row('tx_3'),
      row('tx_3'),
    ];
    expect(idsOf(await read(() => ({ transactions })))).toEqual(['tx_3']);
    expect(faults).toEqual([]);
  });

  it('have two rows under an id that a purchase and its fee share, in any order', async () => {
    const purchase = { ...row('tx_1'), amount: '100.00' };
    const fee = { ...row('tx_1'), amount: '3.00' };
    const idsIn = async (transactions: object[]) => {
      async function* pages() {
        yield* await read(() => ({ transactions }));
      }
      const listing = await readListing(pages(), window, access);
      return listing.transactions
        .map(({ providerTransactionId: id, amount }) => `${amount.toFixed()} ${id}`)
        .sort();
    };
    const ids = await idsIn([purchase, fee]);
    expect(ids).toEqual([
      expect.stringMatching(/^100 tx_1\/content:[\w-]{43}$/),
      expect.stringMatching(/^3 tx_1\/content:[\w-]{43}$/),
    ]);
    expect(await idsIn([fee, purchase, fee])).toEqual(ids);
  });

  it('are read without the unreadable rows, each of which makes its account incomplete', async () => {
    const transactions = [
      { ...row('tx_1'), amount: 'NaN' },
      { ...row('tx_2'), account_id: null },
      null,
      row('tx_3'),
    ];
    expect(idsOf(await read(() => ({ transactions })))).toEqual(['tx_3']);
    expect(faults).toMatchObject([
      { scope: 'row', account: 'acct_1', field: 'amount' },
      { scope: 'account', account: null, field: 'account_id' },
      { scope: 'account', account: null, field: '' },
    ]);
  });

  it.each([
    [
      'hold more rows than asked for',
      () => ({ transactions: Array.from({ length: 201 }, (_, index) => row(`tx_${index}`)) }),
    ],
    [
      'cover days not asked for',
      () => ({ transactions: [], covered: { from: '2026-01-01', to: '2026-03-01' } }),
    ],
    ['have no rows at all', () => ({})],
  ])('are malformed when they %s', async (_, answer) => {
    await expect(read(answer)).rejects.toMatchObject({
      name: 'ProviderFailure',
      providerCause: 'malformed',
    });
  });
});
