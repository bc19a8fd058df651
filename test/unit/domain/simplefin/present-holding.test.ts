import fc from 'fast-check';
import { Decimal } from 'decimal.js';
import { presentHolding } from '../../../../domain/simplefin/present-holding.js';
import { toHolding } from '../../../../providers/simplefin/data/to-holding.js';

interface Facts {
  quantity?: string;
  factor?: string | null;
  value?: string | null;
  cost?: string | null;
  currency?: string;
  day?: string | null;
  security?: object;
}

const shown = ({
  quantity = '84.317',
  factor = '1',
  value = '6544.01',
  cost = '6120.44',
  currency = 'USD',
  day = null,
  security = {},
}: Facts = {}) =>
  presentHolding({
    holdingId: 'hld_1',
    firstSeen: '2026-02-11',
    value,
    costBasis: cost,
    body: JSON.stringify({ quantity, price_factor: factor, price_as_of: day, currency }),
    security: JSON.stringify({
      name: 'Example Total Market',
      symbol: 'EXTMX',
      type: null,
      ...security,
    }),
  });

/** A decimal of up to 19 digits on each side of the point, other than zero. */
const figure = fc
  .tuple(
    fc.bigInt({ min: 0n, max: 10n ** 19n - 1n }),
    fc.bigInt({ min: 1n, max: 10n ** 19n - 1n }),
    fc.boolean(),
  )
  .map(([whole, part, isNegative]) =>
    new Decimal(`${isNegative ? '-' : ''}${whole}.${String(part).padStart(19, '0')}`).toFixed(),
  );

describe('A holding for finance apps', () => {
  it('has the total cost, the price paid that follows from it, and the facts that prove both', () => {
    expect(shown({ day: '2026-03-06', security: { type: 'mutual_fund' } })).toEqual({
      id: 'hld_1',
      created: Date.parse('2026-02-11T12:00:00Z') / 1_000,
      symbol: 'EXTMX',
      description: 'Example Total Market',
      shares: '84.317',
      market_value: '6544.01',
      cost_basis: '6120.44',
      purchase_price: '72.5884459836',
      currency: 'USD',
      extra: {
        security_type: 'mutual_fund',
        price_factor: '1',
        price_as_of: '2026-03-06',
        cost_basis: 'total',
      },
    });
  });

  it.each([
    ['a short position', { quantity: '-60', cost: '-1488' }, '24.8'],
    ['an option on 100 shares', { quantity: '3', factor: '100', cost: '1275' }, '4.25'],
    ['a bond in percent of par', { quantity: '20000', factor: '0.01', cost: '19720' }, '98.6'],
    ['a quotient without an end', { quantity: '3', cost: '10' }, '3.33333333333'],
    ['a fraction of a cent', { quantity: '90000000', cost: '0.09' }, '0.000000001'],
    ['no units', { quantity: '0', cost: '10' }, undefined],
    ['an unknown factor', { factor: null }, undefined],
  ])('has a price paid of its unit with %s', (_what, facts, expected) => {
    expect(shown(facts)['purchase_price']).toBe(expected);
  });

  it.each([
    ['no value', { value: null }, ['market_value']],
    ['no cost', { cost: null }, ['cost_basis', 'purchase_price']],
    ['a cost of zero', { cost: '0' }, ['cost_basis', 'purchase_price']],
    ['no symbol', { security: { symbol: null } }, ['symbol']],
  ])('leaves out what is unknown with %s, and nothing else', (_what, facts, missing) => {
    const left = Object.keys(shown()).filter((name) => !(name in shown(facts)));
    expect(left).toEqual(missing);
  });

  it('does not call an unknown cost a total', () => {
    expect(shown({ cost: null })['extra']).toEqual({ price_factor: '1' });
  });

  it.each([
    ['its symbol', { name: null }, 'EXTMX'],
    ['nothing', { name: null, symbol: null }, ''],
  ])('without a name is described by %s', (_what, security, expected) => {
    expect(shown({ security })['description']).toBe(expected);
  });

  it.each([
    ['JPY', '6544', '6544'],
    ['KWD', '0.25', '0.250'],
    ['USD', '1.23456', '1.23456'],
  ])('writes money of %s with the digits of its currency', (currency, value, expected) => {
    expect(shown({ currency, value })['market_value']).toBe(expected);
  });

  it('is read by another Tributary with the same quantity, value and cost, of any digits', () => {
    const note = () => {
      throw new Error('a fault');
    };
    const known = fc.option(figure, { nil: null });
    const factor = fc.constantFrom('1', '100', '0.01', null);
    fc.assert(
      fc.property(figure, known, known, factor, (quantity, value, cost, price_factor) => {
        const sent = shown({ quantity, value, cost, factor: price_factor });
        const read = toHolding(JSON.parse(JSON.stringify(sent)), {
          accountId: 'ACT-1',
          currency: 'EUR',
          // An absent value is noted.
          scope: { account: 'ACT-1', note: value === null ? () => undefined : note },
        });
        expect({
          quantity: read.quantity.toFixed(),
          value: read.value?.toFixed() ?? null,
          cost: read.cost.basis?.toFixed() ?? null,
          isTotal: read.cost.isTotal,
          currency: read.currency,
        }).toEqual({ quantity, value, cost, isTotal: cost !== null, currency: 'USD' });
      }),
    );
  });
});
