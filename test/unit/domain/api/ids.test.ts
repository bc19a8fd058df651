import { randomBytes } from 'node:crypto';
import {
  ID_ALPHABET,
  ID_PREFIXES,
  makeId,
  randomCharacters,
  type IdKind,
} from '../../../../domain/api/ids.js';

describe('Ids (native-api 1.2)', () => {
  it.each(Object.entries(ID_PREFIXES))(
    'of a %s start with %s and continue with 22 characters of the alphabet',
    (kind, prefix) => {
      const id = makeId(kind as IdKind, (length) => randomBytes(length));
      expect(id.slice(0, prefix.length)).toBe(prefix);
      expect(id.slice(prefix.length)).toMatch(new RegExp(`^[${ID_ALPHABET}]{22}$`));
    },
  );

  it('use 57 characters that are hard to confuse', () => {
    expect(new Set(ID_ALPHABET).size).toBe(57);
    expect(ID_ALPHABET).not.toMatch(/[01IOl]/);
  });

  it('reject bytes that would make some characters more likely', () => {
    const source = [255, 228, 228, 0, 56, 57, ...Array<number>(40).fill(1)];
    const text = randomCharacters(ID_ALPHABET, 3, (length) =>
      Uint8Array.from(source.splice(0, length)),
    );
    expect(text).toBe([0, 56, 57 % 57].map((at) => ID_ALPHABET[at]).join(''));
  });
});
