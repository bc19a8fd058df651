import { Decimal } from 'decimal.js';
import type { FetchedSecurity } from '../../domain/investments/fetched-security.js';
import { refusalOf } from '../support/actors/plaid-client.js';
import { holding, investments, security } from '../support/fixtures/listed-holdings.js';
import { plaidServiceOfFile } from '../support/fixtures/plaid-service.js';
import { StoredItem } from '../support/fixtures/stored-item.js';

const service = plaidServiceOfFile();

const call = ({ accessToken }: StoredItem, options = {}) =>
  service.plaid.investmentsHoldingsGet({ access_token: accessToken, options });
const get = async (...request: Parameters<typeof call>) => (await call(...request)).data;

/** The sandbox bank lists two accounts; a test gives them the types that it needs. */
async function itemWith(
  checking = 'investment.brokerage',
  savings = 'depository.savings',
): Promise<StoredItem> {
  const item = await StoredItem.linked(service.api, { products: ['investments'] });
  const account = { available: null, current: new Decimal('6650.25') };
  await item.fetchAccounts(
    { providerAccountId: 'checking', accountType: checking, ...account },
    { providerAccountId: 'savings', accountType: savings, ...account },
  );
  return item;
}

async function itemHolding(...holdings: Parameters<typeof investments>[0]): Promise<StoredItem> {
  const item = await itemWith();
  await item.fetchInvestments(investments(holdings, ['checking'], '6650.25'));
  return item;
}

const OPTION: FetchedSecurity = security({
  symbol: 'EXC260619C00050000',
  name: 'Example Corp Call 50',
  type: 'derivative',
  subtype: 'option',
  option: {
    underlyingSymbol: 'EXC',
    kind: 'call',
    expiresOn: '2026-06-19',
    strikePrice: new Decimal('50'),
    contractSize: new Decimal('100'),
  },
});
const BOND: FetchedSecurity = security({
  symbol: null,
  cusip: '912828XX3',
  name: 'Example Treasury 2030',
  type: 'fixed_income',
  subtype: 'bond',
  fixedIncome: {
    faceValue: null,
    couponRate: new Decimal('4.25'),
    yieldToMaturity: null,
    maturesOn: '2030-05-15',
    issuedOn: '2020-05-15',
  },
});
const bondOf = (faceValue: string): FetchedSecurity => ({
  ...BOND,
  cusip: '912828YY1',
  fixedIncome: BOND.fixedIncome && { ...BOND.fixedIncome, faceValue: new Decimal(faceValue) },
});

describe('/investments/holdings/get', () => {
  it('returns a holding with its security and its account', async () => {
    const fund = security({
      exchange: 'XNAS',
      isin: 'US0000000002',
      type: 'mutual_fund',
      subtype: 'mutual_fund',
    });
    const item = await itemHolding(
      holding('a', {
        security: fund,
        quantity: '84.317',
        value: '6544.01',
        cost: '6120.44',
        priceAsOf: '2026-03-05',
        isCash: false,
      }),
    );
    const { checking } = await item.accountIds();
    const { request_id: _, ...data } = await get(item);
    const { security_id: securityId } = data.securities[0] ?? { security_id: '' };
    expect(data).toEqual({
      accounts: [
        {
          account_id: checking,
          // The balance, without what is held.
          balances: expect.objectContaining({ available: 106.24, current: 6650.25 }),
          mask: expect.any(String),
          name: expect.any(String),
          official_name: null,
          type: 'investment',
          subtype: 'brokerage',
        },
      ],
      holdings: [
        {
          account_id: checking,
          security_id: securityId,
          quantity: 84.317,
          institution_price: 77.6119880926,
          institution_price_as_of: '2026-03-05',
          institution_price_datetime: null,
          institution_value: 6544.01,
          cost_basis: 6120.44,
          iso_currency_code: 'USD',
          unofficial_currency_code: null,
          vested_quantity: null,
          vested_value: null,
          tax_lots: [],
        },
      ],
      securities: [
        {
          security_id: expect.stringMatching(/^sct_/),
          isin: 'US0000000002',
          cusip: null,
          sedol: null,
          figi: null,
          institution_security_id: null,
          institution_id: null,
          proxy_security_id: null,
          name: 'Example Total Market',
          ticker_symbol: 'EXTMX',
          is_cash_equivalent: null,
          type: 'mutual fund',
          subtype: 'mutual fund',
          close_price: null,
          close_price_as_of: null,
          update_datetime: null,
          iso_currency_code: 'USD',
          unofficial_currency_code: null,
          market_identifier_code: 'XNAS',
          sector: null,
          industry: null,
          cfi_code: null,
          option_contract: null,
          fixed_income: null,
        },
      ],
      item: expect.objectContaining({ item_id: item.linkId, error: null }),
    });
  });

  it.each([
    ['shares', security(), '60', '26.5', '1590', [60, 26.5]],
    ['shares sold short', security(), '-60', '26.5', '-1590', [-60, 26.5]],
    ['three contracts as 300 options', OPTION, '3', '5.10', '1530', [300, 5.1]],
    [
      'contracts of an adjusted size',
      {
        ...OPTION,
        symbol: 'EXC1260619C00050000',
        option: OPTION.option && { ...OPTION.option, contractSize: new Decimal('150') },
      },
      '2',
      '5.10',
      '1530',
      [300, 5.1],
    ],
    [
      'an option that only its symbol shows',
      security({ symbol: 'EXC260619P00050000' }),
      '3',
      '5.10',
      '1530',
      [300, 5.1],
    ],
    ['a bond in percent of par', BOND, '20000', '99.05', '19810', [200, 99.05]],
    ['a bond in units of its face value', bondOf('1000'), '20000', '99.05', '19810', [20, 990.5]],
    ['a bond at a price per unit', bondOf('1000'), '20', '990.5', '19810', [20, 990.5]],
    ['a coin', security({ type: 'cryptocurrency' }), '0.123456789012345678', null, '8000', null],
  ] as const)(
    'counts %s so that quantity and price make up the value',
    async (_, held, quantity, price, value, expected) => {
      const item = await itemHolding(holding('a', { security: held, quantity, price, value }));
      const [shown] = (await get(item)).holdings;
      expect(shown?.institution_value).toBe(Number(value));
      expect((shown?.quantity ?? 0) * (shown?.institution_price ?? 0)).toBeCloseTo(
        Number(value),
        2,
      );
      if (expected !== null) expect([shown?.quantity, shown?.institution_price]).toEqual(expected);
    },
  );

  it('states a price in pence in pounds', async () => {
    const share = security({ currency: 'GBP', type: 'equity' });
    const item = await itemHolding(
      holding('a', {
        security: share,
        currency: 'GBP',
        quantity: '900',
        price: '345',
        value: '3105',
      }),
    );
    expect((await get(item)).holdings).toMatchObject([
      { quantity: 900, institution_price: 3.45, institution_value: 3105, iso_currency_code: 'GBP' },
    ]);
  });

  it('describes options and bonds', async () => {
    const item = await itemHolding(
      holding('a', { security: OPTION, quantity: '3', price: '5.10', value: null }),
      holding('b', { security: bondOf('1000'), quantity: '20000', price: '99.05', value: null }),
    );
    const { holdings, securities } = await get(item);
    expect(holdings.map(({ institution_value: value }) => value)).toEqual([1530, 19810]);
    const byName = new Map(securities.map((shown) => [shown.name, shown]));
    expect(byName.get('Example Corp Call 50')).toMatchObject({
      type: 'derivative',
      subtype: 'option',
      option_contract: {
        contract_type: 'call',
        expiration_date: '2026-06-19',
        strike_price: 50,
        underlying_security_ticker: 'EXC',
      },
      fixed_income: null,
    });
    expect(byName.get('Example Treasury 2030')).toMatchObject({
      type: 'fixed income',
      option_contract: null,
      fixed_income: {
        yield_rate: { percentage: 4.25, type: 'coupon' },
        maturity_date: '2030-05-15',
        issue_date: '2020-05-15',
        face_value: 1000,
      },
    });
  });

  it('leaves out a holding whose value is unknown, and the security that only it has', async () => {
    const item = await itemHolding(
      holding('a', { value: null }),
      holding('b', { security: security({ symbol: 'KNOWN' }), value: '12' }),
    );
    const { holdings, securities } = await get(item);
    expect(holdings.map(({ institution_value: value }) => value)).toEqual([12]);
    expect(securities.map(({ ticker_symbol: symbol }) => symbol)).toEqual(['KNOWN']);
  });

  it('returns lots, the vested part, and which holdings are cash', async () => {
    const lot = {
      providerLotId: 'lot-1',
      acquiredOn: '2024-02-29',
      quantity: new Decimal('30'),
      pricePaid: new Decimal('31'),
      costBasis: new Decimal('930.00'),
      value: new Decimal('1020'),
    };
    const item = await itemHolding(
      holding('a', {
        quantity: '50',
        price: '34',
        value: '1700',
        vestedQuantity: new Decimal('12.5'),
        lots: [lot, { ...lot, providerLotId: null, acquiredOn: null, quantity: new Decimal('-2') }],
      }),
      holding('b', { security: security({ symbol: 'USD' }), isCash: true, value: '10' }),
    );
    const { holdings, securities } = await get(item);
    expect(holdings[0]).toMatchObject({
      vested_quantity: 12.5,
      vested_value: 425,
      tax_lots: [
        {
          institution_lot_id: 'lot-1',
          original_purchase_datetime: '2024-02-29T00:00:00Z',
          quantity: 30,
          purchase_price: 31,
          cost_basis: 930,
          current_value: 1020,
          position_type: 'LONG',
        },
        { original_purchase_datetime: null, quantity: -2, position_type: 'SHORT' },
      ],
    });
    expect(
      Object.fromEntries(
        securities.map((shown) => [shown.ticker_symbol, shown.is_cash_equivalent]),
      ),
    ).toEqual({ EXTMX: null, USD: true });
  });

  it('returns the holdings of all accounts, however many there are', async () => {
    const item = await itemHolding(
      ...Array.from({ length: 1001 }, (_, index) =>
        holding(`row ${index}`, { security: security({ symbol: `SYM${index}` }) }),
      ),
    );
    const { holdings, securities } = await get(item);
    expect(new Set(holdings.map(({ security_id: id }) => id)).size).toBe(1001);
    expect(securities).toHaveLength(1001);
  });

  it('returns the holdings of the accounts that are asked for, and refuses unknown ones', async () => {
    const item = await itemWith('investment.brokerage', 'investment.retirement');
    await item.fetchInvestments(
      investments(
        [holding('a'), holding('b', { providerAccountId: 'savings', value: '20' })],
        ['checking', 'savings'],
        null,
      ),
    );
    const { savings = '' } = await item.accountIds();
    const chosen = await get(item, { account_ids: [savings] });
    expect(chosen.accounts.map(({ account_id: id }) => id)).toEqual([savings]);
    expect(chosen.holdings).toMatchObject([{ account_id: savings, institution_value: 20 }]);
    expect(await refusalOf(call(item, { account_ids: ['acc_unknown'] }))).toEqual([
      400,
      'INVALID_INPUT',
      'INVALID_ACCOUNT_ID',
    ]);
  });

  it('lists an account of unknown type if it holds anything', async () => {
    const item = await itemWith('unknown', 'unknown');
    await item.storeAccountType('unknown');
    await item.fetchInvestments(investments([holding('a')], ['checking', 'savings'], '1000'));
    const { checking } = await item.accountIds();
    const { accounts, holdings } = await get(item);
    expect(accounts.map(({ account_id: id }) => id)).toEqual([checking]);
    expect(holdings).toHaveLength(1);
  });

  it('waits for the first fetch', async () => {
    const item = await itemWith();
    const waiting = get(item);
    await item.whenAsked('investments');
    await item.fetchInvestments(investments([holding('a')], ['checking'], null));
    expect((await waiting).holdings).toHaveLength(1);
    const { status } = (await service.plaid.itemGet({ access_token: item.accessToken })).data;
    expect(status?.investments).toEqual({
      last_successful_update: expect.stringMatching(/Z$/),
      last_failed_update: null,
    });
  });
});
