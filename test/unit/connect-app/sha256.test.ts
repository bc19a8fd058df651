import { createHash } from 'node:crypto';
import { sha256 } from '../../../packages/connect-protocol/src/sha256.js';

describe('SHA-256 of the hosted app', () => {
  // Lengths around both ends of a block, and over more than two blocks.
  it.each([0, 1, 36, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1_000])(
    'agrees with that of Node for a text of %i bytes',
    (length) => {
      const text = 'a8-'.repeat(length).slice(0, length);
      expect(Buffer.from(sha256(Buffer.from(text))).toString('hex')).toBe(hashOf(text));
    },
  );

  it('agrees with that of Node for bytes above 127', () => {
    const text = 'حساب – 银行 🏦';
    expect(Buffer.from(sha256(Buffer.from(text))).toString('hex')).toBe(hashOf(text));
  });
});

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
