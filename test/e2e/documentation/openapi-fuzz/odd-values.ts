import fc from 'fast-check';

/** Stands for a number that JavaScript cannot write; `toJson` and `toText` insert it. */
export const asWritten = (digits: string) => `@@${digits}@@`;
const BEYOND_NUMBERS = asWritten('1e400');

/** Texts to try in fields, parameters and paths. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'null',
    'undefined',
    'true',
    '-1',
    '0',
    '1e400',
    'NaN',
    '../../..',
    '.',
    '%',
    '%00',
    '%zz',
    "' OR 1=1 --",
    '${7*7}',
    '<script>',
    '__proto__',
    'constructor',
    'toString',
    'a,b',
    ',',
    '[]',
    '\u0000',
    'a\u0000b',
    '\ud800',
    'x\udfff',
    '💸',
    '\u{10ffff}',
    '\uffff',
    '\u202e',
    '\ufeff',
    'ﬁ',
    'é'.normalize('NFD'),
    '\r\n',
    '\t',
    '\\',
    '"',
    '2026-02-30',
    '0000-01-01',
    '9999-12-31T24:00:00Z',
    'a'.repeat(65),
    'a'.repeat(256),
    '💸'.repeat(151),
    'a'.repeat(5_000),
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({
    unit: fc.constantFrom('\u0000', '\ud83d', '\udcb8', 'a', '/', '%', '💸'),
    maxLength: 6,
  }),
);

const oddNumber = fc.oneof(
  fc.constantFrom(
    0,
    -1,
    1.5,
    2 ** 31,
    2 ** 32,
    2 ** 53,
    -(2 ** 53),
    2 ** 63,
    1e15,
    1e21,
    5e-324,
    1.7976931348623157e308,
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const deeplyNested = Array.from({ length: 100 }).reduce<unknown>((inner) => [inner], 0);

/** A value to replace any other in a JSON body. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: oddText },
  { weight: 2, arbitrary: oddNumber },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      BEYOND_NUMBERS,
      [],
      {},
      [[]],
      [null],
      { '': '' },
      [{ a: [] }],
      deeplyNested,
      Array.from({ length: 1_000 }, () => 1),
      Array.from({ length: 100_000 }, () => 1),
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);

/** Bodies that are not JSON, or match no schema. */
export const oddJsonText: fc.Arbitrary<string> = fc.constantFrom(
  '',
  ' ',
  '{',
  '}',
  '{}',
  '[]',
  'null',
  '0',
  '""',
  'true',
  '{"a":1,"a":2}',
  '{"a":1e400}',
  '\ufeff{}',
  '{"__proto__":{"a":1}}',
  "{'a':1}",
  '{"a":"\ud800"}',
  '{"a":"\\ud800"}',
  '[1,',
  'NaN',
  '{"a":01}',
  '['.repeat(20_000),
  '{"a":'.repeat(5_000),
  JSON.stringify('a'.repeat(262_144)),
);

export function toJson(value: unknown): string {
  // Nothing is left when the whole value was removed.
  return (JSON.stringify(value) ?? '').replaceAll(/"@@([-\de]+)@@"/g, '$1');
}

/** A value of a query. */
export function toText(value: unknown): string {
  return String(value).replace(/^@@([-\de]+)@@$/, '$1');
}
