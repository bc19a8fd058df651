import {
  formatPageToken,
  parsePageToken,
} from '../../../simulators/sandbox-bank/transactions/page-token.js';

describe('A page token of the sandbox bank', () => {
  it('decodes to its position and is refused when changed', () => {
    const token = {
      first: 19_000,
      last: 20_000,
      fetches: 3,
      after: { bookingDate: '2026-01-02', transactionId: `tx_${'a1'.repeat(12)}` },
    };
    expect(parsePageToken(formatPageToken(token))).toEqual(token);
    for (const text of [
      '',
      'x',
      'ä',
      formatPageToken(token).slice(0, -4),
      formatPageToken({ ...token, first: 20_001 }),
    ])
      expect(parsePageToken(text)).toBeNull();
  });
});
