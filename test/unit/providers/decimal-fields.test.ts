import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { Unreadable } from '../../../providers/http/read-scope.js';
import { readJson } from '../../../providers/http/read-json.js';
import { RemoteObject } from '../../../providers/http/remote-object.js';

const holding = (shares: unknown) => new RemoteObject({ shares }, 'holding');
/** As it is read from a body that keeps the text of its numbers. */
const lossless = (number: string) =>
  new RemoteObject(
    readJson(new TextEncoder().encode(`{"shares":${number}}`).buffer as ArrayBuffer),
    'holding',
  );

/** 30 digits, with the point anywhere that leaves at most 19 of them on each side. */
const THIRTY_DIGITS = fc
  .tuple(
    fc.boolean(),
    fc.integer({ min: 1, max: 9 }),
    fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 29, maxLength: 29 }),
    fc.integer({ min: 11, max: 19 }),
  )
  .map(([isNegative, first, rest, point]) => {
    const digits = [first, ...rest].join('');
    return `${isNegative ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`;
  });

describe('A quantity or price', () => {
  it('of 30 digits is read without losing one, as text and as number', () => {
    fc.assert(
      fc.property(THIRTY_DIGITS, (text) => {
        expect(holding(text).figure('shares').equals(text)).toBe(true);
        expect(lossless(text).figure('shares').equals(text)).toBe(true);
      }),
    );
  });

  it.each<[sent: unknown, read: string]>([
    ['-1234567890123456789.1234567890123456789', '-1234567890123456789.1234567890123456789'],
    ['1.2E-7', '0.00000012'],
    ['1e18', '1000000000000000000'],
    ['12.500', '12.5'],
    ['-0.00', '0'],
    ['1e-30', '0'],
    ['0.00000000000000000005', '0'],
    ['0.00000000000000000015', '0.0000000000000000002'],
    [1.2e-7, '0.00000012'],
    [84.31700000000001, '84.31700000000001'],
    [0, '0'],
  ])('sent as %j is %s', (sent, read) => {
    expect(holding(sent).figure('shares').toFixed()).toBe(read);
  });

  it('in the exact form of a binary fraction is rounded half to even to 19 decimals', () => {
    const sent = '0.1000000000000000055511151231257827021181583404541015625';
    expect(holding(sent).figure('shares').toFixed()).toBe('0.1000000000000000056');
    expect(lossless(sent).figure('shares').toFixed()).toBe('0.1000000000000000056');
  });

  it.each<[sent: unknown, reason: string]>([
    ['abc', 'impossible'],
    ['', 'impossible'],
    ['1,5', 'impossible'],
    ['NaN', 'impossible'],
    ['1e400', 'impossible'],
    ['1e19', 'impossible'],
    ['12345678901234567890', 'impossible'],
    ['9999999999999999999.99999999999999999999', 'impossible'],
    ['1'.repeat(101), 'impossible'],
    [NaN, 'impossible'],
    [Infinity, 'impossible'],
    [undefined, 'missing'],
    [null, 'missing'],
    [true, 'wrong_type'],
    [['1'], 'wrong_type'],
  ])('sent as %j is unreadable', (sent, reason) => {
    expect(() => holding(sent).figure('shares')).toThrow(Unreadable);
    expect(() => holding(sent).figure('shares')).toThrow(expect.objectContaining({ reason }));
  });
});

describe('An amount of money', () => {
  it('of 19 digits on each side of its point is read without losing one', () => {
    const text = '-1234567890123456789.1234567890123456789';
    expect(holding(text).decimal('shares').equals(new Decimal(text))).toBe(true);
  });

  it.each(['1e2', '12345678901234567890', '0.12345678901234567890', 'NaN'])(
    'sent as %s is unreadable',
    (text) => {
      expect(() => holding(text).decimal('shares')).toThrow(Unreadable);
    },
  );
});
