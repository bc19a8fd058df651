import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import type { CursorMac } from '../../../../domain/api/cursor-text.js';
import {
  advanceCursor,
  decodeCursor,
  encodeCursor,
  SYNC_START,
  type SyncCursor,
} from '../../../../domain/transactions/sync-cursor.js';

const KEYS = new Map([
  [1, 'first'],
  [2, 'second'],
]);
const mac: CursorMac = (keyId, message) => {
  const key = KEYS.get(keyId);
  if (key === undefined) throw new RangeError('unknown key');
  return createHmac('sha256', key).update(message).digest();
};
const LINK = 'mk_rEhksmcWQTnydVaHJ7FT6N';
const written = encodeCursor({ floor: 3n, position: 7n, highWater: 12n }, LINK, 1, mac);

const position = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
const anyCursor: fc.Arbitrary<SyncCursor> = fc.record({
  floor: position,
  position,
  highWater: fc.option(position, { nil: null }),
});

describe('The sync cursor', () => {
  it('decodes to the encoded value, for the link for which it was encoded', () => {
    fc.assert(
      fc.property(
        anyCursor,
        fc.string({ minLength: 1, maxLength: 30 }),
        fc.constantFrom(1, 2),
        (cursor, linkId, keyId) => {
          const text = encodeCursor(cursor, linkId, keyId, mac);
          expect(text).toMatch(/^[A-Za-z0-9_-]{60}$/);
          expect(decodeCursor(text, linkId, mac)).toEqual(cursor);
          expect(decodeCursor(text, `${linkId}x`, mac)).toBeNull();
        },
      ),
    );
  });

  it('is refused after any change of a single character', () => {
    for (let at = 0; at < written.length; at += 1) {
      for (const other of ['A', 'B', '_', '-', '9', 'z']) {
        if (other === written[at]) continue;
        expect(
          decodeCursor(written.slice(0, at) + other + written.slice(at + 1), LINK, mac),
        ).toBeNull();
      }
    }
  });

  it.each([
    ['nothing', ''],
    ['one character', 'A'],
    ['too short', written.slice(0, -1)],
    ['too long', `${written}AAAA`],
    ['a second spelling of the same bytes', `${written}A`],
    ['padding', `${written}=`],
    ['standard base64', `${written.slice(0, -1)}+`],
    ['white space', ` ${written}`],
    ['other text', 'not a cursor'],
    ['other alphabets', 'é'.repeat(60)],
    ['zeros', 'A'.repeat(60)],
  ])('is refused: %s', (_, text) => {
    expect(decodeCursor(text, LINK, mac)).toBeNull();
  });

  it('is refused when it is arbitrary text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 100 }), (text) => decodeCursor(text, LINK, mac) === null),
    );
  });

  it('is refused with another key, an unknown key and another version', () => {
    const bytes = Buffer.from(written, 'base64url');
    const changed = (change: (copy: Buffer) => void) => {
      const copy = Buffer.from(bytes);
      change(copy);
      return copy.toString('base64url');
    };
    expect(
      decodeCursor(
        changed((copy) => copy.writeUInt32BE(2, 1)),
        LINK,
        mac,
      ),
    ).toBeNull();
    expect(
      decodeCursor(
        changed((copy) => copy.writeUInt32BE(9, 1)),
        LINK,
        mac,
      ),
    ).toBeNull();
    expect(
      decodeCursor(
        changed((copy) => copy.writeUInt8(2, 0)),
        LINK,
        mac,
      ),
    ).toBeNull();
  });

  it('stays inside a walk while there is more, and starts the next walk at its end', () => {
    expect(advanceCursor(SYNC_START, 12n, 5n, true)).toEqual({
      floor: 0n,
      position: 5n,
      highWater: 12n,
    });
    expect(advanceCursor({ floor: 0n, position: 5n, highWater: 12n }, 12n, 11n, false)).toEqual({
      floor: 12n,
      position: 12n,
      highWater: null,
    });
    expect(advanceCursor({ floor: 12n, position: 12n, highWater: null }, 12n, null, false)).toEqual(
      { floor: 12n, position: 12n, highWater: null },
    );
  });
});
