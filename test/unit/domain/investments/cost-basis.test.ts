import { Decimal } from 'decimal.js';
import type { CostConvention } from '../../../../domain/investments/cost-basis.js';
import { costsOf, type Memory } from './support/costs.js';
import type { SentHolding } from './support/holdings.js';

const OPTION = { symbol: 'XYZ   260619C00250000' };
const BOND = { symbol: '912828YK0' };
const MEMORY = {
  convention: (convention: CostConvention): Memory => ({ convention }),
  earlier: (
    reported: string,
    costBasis: string,
    source: 'reported_total' | 'reported_per_unit',
  ): Memory => ({
    earlier: [{ reported, costBasis: new Decimal(costBasis), source, evidence: 'market_value' }],
  }),
};
describe('The cost basis', () => {
  it.each<[name: string, sent: SentHolding, cost: string, memory?: Memory]>([
    [
      'that quantity × price paid equals is a total',
      { quantity: '250', cost: '4120.00', paid: '16.48', value: '5310' },
      '4120 reported_total purchase_price',
    ],
    [
      'that the price paid equals is per unit',
      { quantity: '250', cost: '16.48', paid: '16.48', value: '5310' },
      '4120 reported_per_unit purchase_price',
    ],
    [
      'of the size of the value is a total if it would be an enormous loss per unit',
      { quantity: '84.317', cost: '6120.44', paid: '0.00', value: '6544.01' },
      '6120.44 reported_total market_value',
    ],
    [
      'far below the value is unknown: it may be a large gain, or per unit',
      { quantity: '120', cost: '2040.00', value: '51300' },
      'unknown',
    ],
    [
      'of a fraction of a unit is a total if the price paid shows it',
      { quantity: '0.75', cost: '1800.00', paid: '2400.00', value: '2310' },
      '1800 reported_total purchase_price',
    ],
    [
      'of one unit is the same in both readings',
      { quantity: '1', cost: '310.25', paid: '310.25', value: '298' },
      '310.25 reported_total purchase_price',
    ],
    [
      'that came as zero follows from the price paid',
      { quantity: '40', cost: '0.00', paid: '12.50', value: '700' },
      '500 from_purchase_price purchase_price',
    ],
    [
      'is unknown if it and the price paid came as zero',
      { quantity: '40', cost: '0.00', paid: '0.00', value: '700' },
      'unknown',
    ],
    [
      'of a short position is what was received, negative',
      { quantity: '-60', cost: '1488.00', paid: '24.80', value: '-1590' },
      '-1488 reported_total purchase_price',
    ],
    [
      'of an option counts the units of its contracts',
      {
        quantity: '3',
        cost: '1275.00',
        paid: '4.25',
        value: '1530',
        security: OPTION,
      },
      '1275 reported_total purchase_price',
    ],
    [
      'of an option is unknown while its quantity may count units or contracts',
      { quantity: '3', cost: '1275.00', value: '1530', security: OPTION },
      'unknown',
    ],
    [
      'of an option sent per unit counts the units of its contracts',
      { quantity: '3', cost: '4.25', paid: '4.25', value: '1530', security: OPTION },
      '1275 reported_per_unit purchase_price',
    ],
    [
      'of a bond counts percent of par',
      {
        quantity: '20000',
        cost: '19720.00',
        paid: '98.60',
        value: '19810',
        security: BOND,
      },
      '19720 reported_total purchase_price',
    ],
    [
      'is the sum of the lots if they are the whole position',
      {
        quantity: '50',
        paid: '32.71',
        lots: [
          ['30', '930.00'],
          ['20', '705.50'],
        ],
      },
      '1635.5 from_lots documented',
    ],
    [
      'is not that of lots for a part of the position',
      { quantity: '50', paid: '32.71', value: '1700', lots: [['45', '1400.00']] },
      '1635.5 from_purchase_price purchase_price',
    ],
    [
      'is not that of lots of which one has no basis',
      {
        quantity: '50',
        paid: '32.71',
        value: '1700',
        lots: [
          ['30', '930.00'],
          ['20', null],
        ],
      },
      '1635.5 from_purchase_price purchase_price',
    ],
    [
      'is a total if the format states so, whatever the price paid',
      { quantity: '250', cost: '16.48', paid: '16.48', value: '5310', isTotal: true },
      '16.48 reported_total documented',
    ],
    [
      'keeps the convention of the account after a split that left the price paid as it was',
      { quantity: '400', cost: '8200.00', paid: '82.00', value: '9100' },
      '8200 reported_total remembered',
      MEMORY.convention('total'),
    ],
    [
      'is per unit in an account that sends it so',
      { quantity: '120', cost: '20.40', value: '51300' },
      '2448 reported_per_unit remembered',
      MEMORY.convention('per_unit'),
    ],
    [
      'is unknown if it and the price paid contradict each other',
      { quantity: '500', cost: '7300.00', paid: '21.10', value: '9900' },
      'unknown',
    ],
    [
      'that is unreadable follows from the price paid',
      { quantity: '12', cost: 'N/A', paid: '10.00', value: '131' },
      '120 from_purchase_price purchase_price',
    ],
    [
      'in pounds counts a price paid in pence',
      { quantity: '900', cost: '3060.00', paid: '340', value: '3105', currency: 'GBP' },
      '3060 reported_total purchase_price',
    ],
    [
      'in pounds is per unit if a hundred units have that price paid and that value',
      { quantity: '100', cost: '3.40', paid: '3.40', value: '345', currency: 'GBP' },
      '340 reported_per_unit purchase_price',
    ],
    [
      'in pounds does not follow from a price paid that may be in pence',
      { quantity: '900', paid: '340', currency: 'GBP' },
      'unknown',
    ],
    [
      'does not follow from a price paid that would be an enormous loss',
      { quantity: '250', paid: '4120.00', value: '5310' },
      'unknown',
    ],
    [
      'that a source sends as the price paid, too, is a total if the value is of its size',
      { quantity: '250', cost: '4120.00', paid: '4120.00', value: '5310' },
      '4120 reported_total market_value',
    ],
    [
      'that a source sends as the price paid, too, is unknown if the value leaves both possible',
      { quantity: '10', cost: '1000.00', paid: '1000.00', value: '1050' },
      'unknown',
    ],
    [
      'that a source sends as the price paid, too, is unknown for a part of a unit worth as much',
      { quantity: '0.001', cost: '50.00', paid: '50.00', value: '55' },
      'unknown',
    ],
    [
      'is per unit in an account that sends it so, however little the position is worth now',
      { quantity: '250', cost: '16.48', paid: '16.48', value: '20' },
      '4120 reported_per_unit remembered',
      MEMORY.convention('per_unit'),
    ],
    [
      'with the same digits as before has the same meaning',
      { quantity: '84.317', cost: '6120.44', value: '61204.40' },
      '6120.44 reported_total market_value',
      MEMORY.earlier('6120.44', '6120.44', 'reported_total'),
    ],
    [
      'per unit with the same digits as before counts the units of today',
      { quantity: '200', cost: '16.48', value: '4000' },
      '3296 reported_per_unit market_value',
      MEMORY.earlier('16.48', '1648', 'reported_per_unit'),
    ],
    [
      'with other digits than before is decided again',
      { quantity: '120', cost: '2040.00', value: '51300' },
      'unknown',
      MEMORY.earlier('2040.01', '2040.01', 'reported_total'),
    ],
    [
      'is exact to 10 decimals of a coin with 18',
      { quantity: '0.123456789012345678', paid: '65432.1', value: '9000' },
      '8078.0369643347 from_purchase_price purchase_price',
    ],
    [
      'is rounded half to even in its tenth decimal',
      { quantity: '0.5', paid: '1.0000000001' },
      '0.5 from_purchase_price purchase_price',
    ],
    ['is unknown if it would round to zero', { quantity: '0.00001', paid: '0.000001' }, 'unknown'],
    [
      'is unknown of a position of zero units',
      { quantity: '0', cost: '100.00', paid: '100.00', value: '0', isTotal: true },
      'unknown',
    ],
  ])('%s', (_name, sent, cost, memory) => {
    expect(costsOf([sent], memory)).toEqual([cost]);
  });

  it.each<[report: string, sent: SentHolding, cost: string]>([
    [
      'sure#1182 and #1718',
      { quantity: '139.00', cost: '22004.40', paid: '0.00', value: '22626.42' },
      '22004.4 reported_total market_value',
    ],
    [
      'sure#2626',
      { quantity: '226.899', cost: '3538.42', paid: '15.594692', value: '4147.71' },
      '3538.42 reported_total purchase_price',
    ],
    [
      'sure#2986',
      { quantity: '651', cost: '30162.36', paid: '46.33', value: '46950.12' },
      '30162.36 reported_total purchase_price',
    ],
    [
      'sure#3618',
      { quantity: '100.00', cost: '3850.00', paid: '38.50', value: '62776.00' },
      '3850 reported_total purchase_price',
    ],
  ])('of the public report %s is the one that its author expects', (_report, sent, cost) => {
    expect(costsOf([sent])).toEqual([cost]);
  });

  it('is unknown for two lots of one symbol without any (sure#1826)', () => {
    const lots = [
      { quantity: '12.5', value: '1310.00' },
      { quantity: '7', value: '733.60' },
    ];
    expect(costsOf(lots)).toEqual(['unknown', 'unknown']);
  });
});

describe('The bounds of the evidence', () => {
  const total = (quantity: string, cost: string, value: string): SentHolding => ({
    quantity,
    cost,
    value,
  });
  const paidFor = (quantity: string, paid: string, value: string): SentHolding => ({
    quantity,
    paid,
    value,
  });
  const bought = (quantity: string, cost: string, paid: string): SentHolding => ({
    quantity,
    cost,
    paid,
  });
  const repeated = (quantity: string, figure: string, value: string): SentHolding => ({
    ...bought(quantity, figure, figure),
    value,
  });
  it.each<[name: string, within: SentHolding, beyond: SentHolding]>([
    ['four times the value', total('1000', '4000', '1000'), total('1000', '4001', '1000')],
    ['a quarter of the value', total('1000', '250', '1000'), total('1000', '249', '1000')],
    ['a loss of 96 % per unit', total('26', '1000', '1000'), total('25', '1000', '1000')],
    ['a loss of 96 % since the purchase', paidFor('25', '10', '10'), paidFor('25', '10', '9.99')],
    ['a gain of 25 times', paidFor('1', '10', '250'), paidFor('1', '10', '251')],
    ['1 % of fees', bought('100', '1010.00', '10.00'), bought('100', '1011.00', '10.00')],
    ['half a cent for each unit', bought('1000', '15.00', '0.01'), bought('1000', '15.02', '0.01')],
    [
      'half of the last decimal for each unit',
      bought('1000000', '150.00', '0.0001'),
      bought('1000000', '150.02', '0.0001'),
    ],
    [
      'a loss of three quarters by the price paid as basis',
      repeated('4', '1000', '1000'),
      repeated('5', '1000', '1000'),
    ],
  ])('are: %s', (_name, within, beyond) => {
    expect(costsOf([within])).not.toEqual(['unknown']);
    expect(costsOf([beyond])).toEqual(['unknown']);
  });
});
