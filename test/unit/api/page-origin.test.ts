import { mayOpen } from '../../../apps/api/src/connect/page-origin.js';

const LIST = ['https://app.example', 'http://localhost:3000/'];

it.each([
  ['https://app.example', 'web', LIST, 'live', true],
  ['HTTPS://APP.EXAMPLE', 'web', LIST, 'live', true],
  ['http://localhost:3000', 'web', LIST, 'sandbox', true],
  ['https://app.example.evil', 'web', LIST, 'live', false],
  ['https://evil.example', 'web', LIST, 'sandbox', false],
  ['null', 'web', LIST, 'sandbox', false],
  [null, 'web', LIST, 'live', false],
  [null, 'ios', LIST, 'live', true],
  [null, 'ios', ['native'], 'live', true],
  ['native', 'web', ['https://app.example'], 'live', false],
  // If no page may open Connect, no caller without a page may, either.
  [null, 'react-native', [], 'live', false],
  [null, 'ios', [], 'live', false],
  [null, 'web', [], 'sandbox', true],
  ['https://any.example', 'web', [], 'sandbox', true],
  ['https://any.example', 'web', [], 'live', false],
] as const)(
  'A page %s on %s may open Connect with the list %j in %s: %s',
  (origin, platform, list, environment, expected) => {
    expect(mayOpen({ origin, platform }, list, environment)).toBe(expected);
  },
);
