/** 57 characters: letters and digits without `0 1 I O l`. Source: native-api 1.2. */
export const ID_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const ID_LENGTH = 22;

export const ID_PREFIXES = {
  link: 'mk_',
  account: 'acc_',
  transaction: 'txn_',
  stream: 'str_',
  security: 'sct_',
  holding: 'hld_',
  investmentTransaction: 'itx_',
  event: 'evt_',
  delivery: 'whd_',
  session: 'ses_',
  world: 'wld_',
  fault: 'flt_',
  sandboxRequest: 'sbx_',
  clientSecret: 'sec_',
  simplefinToken: 'sft_',
  listener: 'lsn_',
} as const;
export type IdKind = keyof typeof ID_PREFIXES;

/** Returns `length` bytes from a cryptographic source. */
export type RandomBytes = (length: number) => Uint8Array;

/**
 * Creates an id such as `mk_rEhksmcWQTnydVaHJ7FT6N`: the prefix of its kind and 22 unbiased
 * characters (128 bits).
 */
export function makeId(kind: IdKind, random: RandomBytes): string {
  return ID_PREFIXES[kind] + randomCharacters(ID_ALPHABET, ID_LENGTH, random);
}

/** Creates several ids of one kind with a single read of the random source. */
export function makeIds(kind: IdKind, count: number, random: RandomBytes): string[] {
  const characters = randomCharacters(ID_ALPHABET, count * ID_LENGTH, random);
  return Array.from(
    { length: count },
    (_, index) => ID_PREFIXES[kind] + characters.slice(index * ID_LENGTH, (index + 1) * ID_LENGTH),
  );
}

/**
 * Draws `length` characters without bias: bytes past the last whole multiple of the alphabet are
 * dropped.
 */
export function randomCharacters(alphabet: string, length: number, random: RandomBytes): string {
  const limit = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    for (const byte of random(length - text.length + 8)) {
      if (byte < limit && text.length < length) text += alphabet[byte % alphabet.length];
    }
  }
  return text;
}
