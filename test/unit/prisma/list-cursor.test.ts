import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { openPositions, sealPositions } from '../../../prisma/base/keys/list-cursor.js';

const keys = {
  currentKeyId: 3,
  mac: (keyId: number, message: Uint8Array) => {
    if (keyId !== 3) throw new RangeError(`there is no cursor key ${keyId}`);
    return createHmac('sha256', 'a key of this service').update(message).digest();
  },
};
const positions = fc.array(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), {
  minLength: 1,
  maxLength: 3,
});

describe('A cursor of a list', () => {
  it('holds the positions that it was made from, as one text', () => {
    fc.assert(
      fc.property(positions, fc.string(), (values, list) => {
        const cursor = sealPositions(keys, list, values);
        expect(openPositions(keys, list, cursor, values.length)).toEqual(values);
        expect(sealPositions(keys, list, values)).toBe(cursor);
      }),
    );
  });

  it('opens in no other list, with no other number of positions, and with no changed character', () => {
    const cursor = sealPositions(keys, 'events/1', [7n]);
    expect(openPositions(keys, 'events/2', cursor, 1)).toBeNull();
    expect(openPositions(keys, 'events/1', cursor, 2)).toBeNull();
    for (const [index, character] of [...cursor].entries()) {
      const changed = `${cursor.slice(0, index)}${character === 'A' ? 'B' : 'A'}${cursor.slice(index + 1)}`;
      expect(openPositions(keys, 'events/1', changed, 1)).toBeNull();
    }
    for (const text of ['', 'x', `${cursor}=`, ` ${cursor}`, cursor.slice(0, -1), `${cursor}AAAA`])
      expect(openPositions(keys, 'events/1', text, 1)).toBeNull();
  });

  it('does not show how far two positions are apart', () => {
    const bytes = (position: bigint) =>
      Buffer.from(sealPositions(keys, 'events/1', [position]), 'base64url').subarray(4);
    const [one, next] = [bytes(1_000_000n), bytes(1_000_001n)];
    const equal = [...one].filter((byte, index) => byte === next[index]).length;
    // Of 36 independent bytes, one in 256 is equal by chance.
    expect(equal).toBeLessThan(6);
    expect(one.includes(Buffer.from([0x0f, 0x42, 0x40]))).toBe(false);
  });
});
