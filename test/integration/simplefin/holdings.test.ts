import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Decimal } from 'decimal.js';
import type { FactsByAccount } from '../../../domain/accounts/account-facts.js';
import type { FetchedHolding } from '../../../domain/investments/fetched-holding.js';
import { resolveHoldings } from '../../../domain/investments/resolve-holdings.js';
import type {
  Provider,
  ProviderAccess,
  ProviderHoldings,
} from '../../../providers/contract/provider.js';
import type { SourceFault } from '../../../domain/refresh/source-fault.js';
import { encodeCredential } from '../../../providers/simplefin/client/access-url.js';
import { accountFacts } from '../../support/fixtures/account-facts.js';
import { accessWith } from '../../support/fixtures/provider-calls.js';
import { simplefinAt } from '../../support/fixtures/simplefin-server.js';

const NOW = new Date('2026-11-25T10:00:00Z');

/** Raw JSON, so that numbers have the digits that a test gives them. */
type Body = string;

interface Read extends ProviderHoldings {
  faults: SourceFault[];
  queries: URLSearchParams[];
}

describe('Holdings of a SimpleFIN server', () => {
  let server: Server;
  let provider: Provider;
  let credential: Uint8Array;
  let reply: (query: URLSearchParams) => Body = () => '';
  const queries: URLSearchParams[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      const { searchParams: query } = new URL(request.url ?? '/', 'http://server');
      queries.push(query);
      response.end(reply(query));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    provider = simplefinAt(`http://127.0.0.1:${port}`, { now: () => NOW });
    credential = encodeCredential(`http://user:password@127.0.0.1:${port}/simplefin`);
  });
  afterAll(() => server.close());

  /** @param accounts the accounts of every response, or of one with these parameters */
  async function read(
    accounts: readonly object[] | ((query: URLSearchParams) => readonly object[]),
    { errlist = [], ...access }: Partial<ProviderAccess> & { errlist?: object[] } = {},
  ): Promise<Read> {
    queries.splice(0);
    const faults: SourceFault[] = [];
    reply = (query) =>
      JSON.stringify({
        errlist,
        accounts: typeof accounts === 'function' ? accounts(query) : accounts,
      }).replaceAll(/"#([^"]*)#"/g, '$1');
    const fetched = await provider.fetchHoldings?.({
      ...accessWith({ credential, reference: 'r' }, 'us'),
      note: (fault) => void faults.push(fault),
      ...access,
    });
    if (fetched === undefined) throw new Error('offers no holdings');
    return { ...fetched, faults, queries: [...queries] };
  }

  /** JSON of its own, for example a number of many digits. */
  const raw = (json: string): string => `#${json}#`;

  const holding = (fields: object = {}) => ({
    id: 'HOL-1',
    created: 1_772_939_703,
    currency: 'USD',
    symbol: 'SWTSX',
    description: 'Total Stock Market Index Fund',
    shares: '226.899',
    market_value: '4147.71',
    cost_basis: '3538.42',
    purchase_price: '15.594692',
    ...fields,
  });
  const account = (holdings: unknown, fields: object = {}) => ({
    id: 'ACT-1',
    name: 'Brokerage (1234)',
    currency: 'USD',
    balance: '5000.00',
    'balance-date': NOW.getTime() / 1_000,
    transactions: [],
    holdings,
    ...fields,
  });
  const other = account([holding({ id: 'HOL-9', symbol: 'OTHER', shares: '1' })], { id: 'ACT-9' });

  const text = (number: Decimal | null): string | null => number?.toFixed() ?? null;
  /** The figures of a holding, and the texts beside them. */
  const figures = ({ quantity, value, currency, cost, security, isCash }: FetchedHolding) => ({
    symbol: security.symbol,
    quantity: text(quantity),
    value: text(value),
    currency,
    reported: cost.reported,
    basis: text(cost.basis),
    pricePaid: text(cost.pricePaid),
    isTotal: cost.isTotal,
    isCash,
  });
  const plain = {
    symbol: 'SWTSX',
    quantity: '226.899',
    value: '4147.71',
    currency: 'USD',
    reported: '3538.42',
    basis: '3538.42',
    pricePaid: '15.594692',
    isTotal: false,
    isCash: null,
  };

  async function readOne(fields: object, ofAccount: object = {}) {
    const { holdings, faults } = await read([account([holding(fields)], ofAccount)]);
    const [one] = holdings;
    if (one === undefined || holdings.length > 1) throw new Error('expected one holding');
    return { figures: figures(one), one, faults: faults.map(placeOf) };
  }
  const placeOf = ({ scope, account: of, resource, field }: SourceFault) =>
    [scope, of, `${resource}.${field}`].join(' ');

  it('keep quantity, value, cost as it came, texts and the balance of the same response', async () => {
    const { accounts, holdings, faults } = await read([account([holding()])]);
    expect(faults).toEqual([]);
    expect(accounts).toEqual([
      {
        providerAccountId: 'ACT-1',
        currency: 'USD',
        balance: expect.anything(),
        reportedCash: null,
      },
    ]);
    expect(text(accounts[0]?.balance ?? null)).toBe('5000');
    expect(holdings.map(figures)).toEqual([plain]);
    expect(holdings[0]).toMatchObject({
      providerAccountId: 'ACT-1',
      providerHoldingId: 'HOL-1',
      security: { name: 'Total Stock Market Index Fund', type: null, currency: 'USD', cusip: null },
      price: null,
      priceAsOf: null,
      lots: [],
      acquiredOn: null,
    });
  });

  it.each([
    ['numbers', { shares: 226.899, market_value: 4147.71 }, {}],
    ['a symbol with blanks around it', { symbol: ' SWTSX ' }, {}],
    ['a currency in lower case', { currency: 'usd' }, {}],
    ['no currency', { currency: '' }, {}],
    ['the symbol of a coin as currency', { symbol: 'BTC', currency: 'BTC' }, { symbol: 'BTC' }],
    ['no symbol', { symbol: '' }, { symbol: null }],
    ['zero shares and value', { shares: '0', market_value: '0' }, { quantity: '0', value: '0' }],
    ['a signed zero as value', { market_value: '-0.00' }, { value: '0' }],
    [
      'a short position',
      { shares: '-60', market_value: '-1590', cost_basis: '-1488.00' },
      {
        quantity: '-60',
        value: '-1590',
        reported: '-1488.00',
        basis: '-1488',
      },
    ],
    ['a zero as price paid', { purchase_price: '0.00' }, { pricePaid: null }],
    ['a zero as cost', { cost_basis: '0.00' }, { reported: '0.00', basis: null }],
    [
      'no cost',
      { cost_basis: undefined, purchase_price: undefined },
      {
        reported: null,
        basis: null,
        pricePaid: null,
      },
    ],
    ['a cost that is a number', { cost_basis: 3538.42 }, {}],
    [
      'pence',
      { currency: 'GBp', market_value: '310500', cost_basis: '306000', purchase_price: '340' },
      {
        currency: 'GBP',
        value: '3105',
        reported: '306000',
        basis: '3060',
        pricePaid: '3.4',
      },
    ],
    [
      'a digit more than a division keeps',
      { currency: 'GBX', market_value: '1234567890123456789.01' },
      {
        currency: 'GBP',
        value: '12345678901234567.8901',
        basis: '35.3842',
        pricePaid: '0.15594692',
      },
    ],
    [
      'money of the account',
      { symbol: 'USD', shares: '12.50', market_value: '12.5' },
      {
        symbol: 'USD',
        quantity: '12.5',
        value: '12.5',
        isCash: true,
      },
    ],
    [
      'a currency as symbol and another value',
      { symbol: 'USD', shares: '12.50' },
      {
        symbol: 'USD',
        quantity: '12.5',
      },
    ],
    [
      'a quantity of many digits as number',
      { shares: raw('0.123456789012345678') },
      {
        quantity: '0.123456789012345678',
      },
    ],
    ['facts of a server that is not Tributary', { extra: { cost_basis: 'unknown', note: 7 } }, {}],
  ])('with %s are read without a fault', async (_what, fields, expected) => {
    const { figures: got, faults } = await readOne(fields);
    expect({ ...got, faults }).toEqual({ ...plain, ...expected, faults: [] });
  });

  it.each([
    ['no value', { market_value: undefined }, { value: null }, 'market_value'],
    ['text as value', { market_value: 'N/A' }, { value: null }, 'market_value'],
    ['text as cost', { cost_basis: 'N/A' }, { reported: 'N/A', basis: null }, 'cost_basis'],
    ['a list as cost', { cost_basis: [3538.42] }, { reported: null, basis: null }, 'cost_basis'],
    ['text as price paid', { purchase_price: 'N/A' }, { pricePaid: null }, 'purchase_price'],
    ['the name of a coin as currency', { currency: 'DOGE' }, {}, 'currency'],
    ['a symbol of 300 characters', { symbol: 'S'.repeat(300) }, { symbol: null }, 'symbol'],
    ['half a character in the symbol', { symbol: 'SW\ud83d' }, { symbol: null }, 'symbol'],
  ])('with %s lose that value alone, which is noted', async (_what, fields, expected, field) => {
    const { figures: got, faults } = await readOne(fields);
    expect(got).toEqual({ ...plain, ...expected });
    expect(faults).toEqual([`value ACT-1 holding.${field}`]);
  });

  it('have names without characters that cannot be stored', async () => {
    const { one, faults } = await readOne({ description: 'Fund\u0000 A\ud83d' });
    expect(one.security.name).toBe('Fund  A');
    expect(faults).toEqual([]);
  });

  it.each([
    ['text as shares', holding({ shares: 'abc' })],
    ['no shares', holding({ shares: undefined })],
    ['shares that are no number', holding({ shares: 'NaN' })],
    ['shares beyond any number', holding({ shares: '1e400' })],
    ['a number of shares beyond any number', holding({ shares: raw('1e400') })],
    ['text in place of a holding', 'SWTSX'],
    ['a list in place of a holding', [holding()]],
  ])('with %s lose this holding, and their account is incomplete', async (_what, broken) => {
    const kept = holding({ id: 'HOL-2', symbol: 'KEPT' });
    const { accounts, holdings, faults } = await read([account([broken, kept]), other]);
    expect(holdings.map(({ security }) => security.symbol)).toEqual(['KEPT', 'OTHER']);
    expect(accounts).toHaveLength(2);
    expect(faults).toEqual([expect.objectContaining({ scope: 'row', account: 'ACT-1' })]);
  });

  it.each([
    ['null', null],
    ['text', 'none'],
    ['an object', { 0: holding() }],
    ['over 5,000 entries', Array.from({ length: 5_001 }, () => ({}))],
  ])('listed as %s leave their account as it was', async (_what, holdings) => {
    const set = await read([account(holdings), other]);
    expect(set.accounts.map(({ providerAccountId }) => providerAccountId)).toEqual(['ACT-9']);
    expect(set.holdings).toHaveLength(1);
    expect(set.faults).toEqual([
      expect.objectContaining({ scope: 'account', account: 'ACT-1', field: 'holdings' }),
    ]);
  });

  it('of an account that lists none are not evidence of cash, while others have their balance', async () => {
    const { accounts } = await read([account([], { id: 'ACT-2' }), other]);
    expect(accounts.map(({ providerAccountId: id, balance }) => [id, text(balance)])).toEqual([
      ['ACT-2', null],
      ['ACT-9', '5000'],
    ]);
  });

  it('are not looked for in accounts of a bank that list none', async () => {
    const named = ['Everyday Checking', 'Visa Card', 'Car Loan'].map((name, place) =>
      account([], { id: `ACT-${place}`, name }),
    );
    const { accounts } = await read([...named, other]);
    expect(accounts.map(({ providerAccountId }) => providerAccountId)).toEqual(['ACT-9']);
  });

  it('of an account in a unit that is not money are left out', async () => {
    const miles = account([holding({ currency: '' })], {
      id: 'ACT-2',
      currency: 'https://example.org/miles',
    });
    const { accounts, holdings } = await read([miles, other]);
    expect([accounts.length, holdings.length]).toEqual([1, 1]);
  });

  it('take one request if a response without rows lists any', async () => {
    const { queries: asked } = await read([account([holding()])]);
    expect(asked.map(String)).toEqual(['version=2&balances-only=1']);
  });

  it.each([
    ['no list', undefined],
    ['an empty list', []],
  ])(
    'take a second request, for rows of no day, if a response without rows has %s',
    async (_what, empty) => {
      const { queries: asked, holdings } = await read((query) => [
        account(query.has('balances-only') ? empty : [holding()]),
      ]);
      expect(holdings.map(figures)).toEqual([plain]);
      expect(asked.map(String)).toEqual([
        'version=2&balances-only=1',
        `version=2&start-date=${NOW.getTime() / 1_000}`,
      ]);
    },
  );

  it('count each request against the quota of the access', async () => {
    const quotas: string[] = [];
    const acquire = (quota: string) => Promise.resolve(void quotas.push(quota));
    await read([account([])], { acquire });
    expect(quotas).toEqual(['requests', 'requests']);
  });

  it('of an account that the server could not read stay, and their account is incomplete', async () => {
    const facts: FactsByAccount = new Map([
      ['ACT-3', accountFacts('investment.brokerage')],
      ['ACT-4', accountFacts('depository.checking')],
    ]);
    const { accounts, faults } = await read([account([]), other], {
      errlist: [
        { code: 'act.missingdata', msg: 'failed', account_id: 'ACT-1' },
        { code: 'con.', msg: 'failed', conn_id: 'CON-1' },
      ],
      knownAccounts: ['ACT-1', 'ACT-3', 'ACT-4'],
      accountFacts: facts,
    });
    expect(accounts.map(({ providerAccountId }) => providerAccountId)).toEqual(['ACT-9']);
    expect(faults.map(placeOf)).toEqual([
      'account ACT-1 account.holdings',
      'account ACT-3 account.holdings',
    ]);
  });

  it('of another Tributary state that a cost is the total, the type, and the day of the price', async () => {
    const { figures: got, one } = await readOne({
      extra: { cost_basis: 'total', security_type: 'equity', price_as_of: '2026-02-30' },
    });
    expect(got).toEqual({ ...plain, isTotal: true });
    expect(one).toMatchObject({ security: { type: 'equity' }, priceAsOf: '2026-02-28' });
  });

  it('of another Tributary that knows there are none leave the balance as cash', async () => {
    const { accounts, queries: asked } = await read([
      account([], {
        extra: { account_type: 'investment.brokerage', holdings_as_of: '2026-11-24' },
      }),
    ]);
    expect(text(accounts[0]?.balance ?? null)).toBe('5000');
    expect(asked).toHaveLength(1);
  });

  // Payloads of public reports (we-promise/sure), whose readers took a total for the cost of one unit.
  it.each([
    ['1182', '139.00', '22004.40', '22626.42', '0.00', '22004.4 reported_total market_value'],
    ['2626', '226.899', '3538.42', '4147.71', '15.594692', '3538.42 reported_total purchase_price'],
    [
      '2626, another fund',
      '587.632',
      '15840.56',
      '24063.53',
      '26.956599',
      '15840.56 reported_total purchase_price',
    ],
    ['2986', '651', '30162.36', '46950.12', '46.33', '30162.36 reported_total purchase_price'],
    ['3618', '100.00', '3850.00', '62776.00', '38.50', '3850 reported_total purchase_price'],
  ])(
    'have the cost that their broker shows: report %s',
    async (_report, shares, cost_basis, market_value, purchase_price, expected) => {
      const { one } = await readOne({ shares, cost_basis, market_value, purchase_price });
      const { holdings } = resolveHoldings([one], { convention: null, earlier: [null] });
      expect(
        holdings.map(({ costBasis, costBasisSource, costBasisEvidence }) =>
          [costBasis?.toFixed(), costBasisSource, costBasisEvidence].join(' '),
        ),
      ).toEqual([expected]);
    },
  );

  it('of one symbol in two rows without any cost are two holdings', async () => {
    const lot = { cost_basis: '0.00', purchase_price: '0.00' };
    const rows = [holding({ ...lot, id: 'HOL-1' }), holding({ ...lot, id: 'HOL-2', shares: '3' })];
    const { holdings, faults } = await read([account(rows)]);
    expect(faults).toEqual([]);
    expect(holdings.map(figures)).toMatchObject([
      { symbol: 'SWTSX', quantity: '226.899', basis: null, pricePaid: null },
      { symbol: 'SWTSX', quantity: '3', basis: null, pricePaid: null },
    ]);
  });

  it('come without trades, since the protocol has none', () => {
    expect(provider.fetchInvestmentTransactions).toBeUndefined();
    expect(provider.institutions().map(({ products }) => products)).toEqual([
      ['accounts', 'transactions', 'investments'],
      ['accounts', 'transactions', 'investments'],
    ]);
  });
});
