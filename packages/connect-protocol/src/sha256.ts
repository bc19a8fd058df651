const BLOCK_BYTES = 64;

/** FIPS 180-4, 4.2.2: the first 32 bits of the fractional parts of cube roots of primes. */
const ROUND_CONSTANTS = fractions(64, Math.cbrt);
/** FIPS 180-4, 5.3.3: the same of square roots. */
const INITIAL = fractions(8, Math.sqrt);

/** SHA-256, for origins on which browsers do not provide it, and for React Native, which never does. @returns 32 bytes. Source: FIPS 180-4, 6.2 */
export function sha256(bytes: Uint8Array): Uint8Array {
  const blocks = pad(bytes);
  const hash = Uint32Array.from(INITIAL);
  for (let offset = 0; offset < blocks.byteLength; offset += BLOCK_BYTES)
    compress(hash, blocks, offset);
  const digest = new DataView(new ArrayBuffer(32));
  hash.forEach((word, index) => digest.setUint32(4 * index, word));
  return new Uint8Array(digest.buffer);
}

/** FIPS 180-4, 5.1.1: a one bit, zeros, and the length in bits at the end of a block. */
function pad(bytes: Uint8Array): DataView {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK_BYTES) * BLOCK_BYTES);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, 8 * bytes.length);
  return view;
}

function compress(hash: Uint32Array, blocks: DataView, offset: number): void {
  const words = schedule(blocks, offset);
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  words.forEach((word, t) => {
    const fromE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const fromA = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const first = h + fromE + choice + (ROUND_CONSTANTS[t] ?? 0) + word;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + fromA + majority) | 0];
  });
  [a, b, c, d, e, f, g, h].forEach((value, index) => {
    hash[index] = (hash[index] ?? 0) + value;
  });
}

/** FIPS 180-4, 6.2.2, step 1: the 64 words of a block. */
function schedule(blocks: DataView, offset: number): number[] {
  const words: number[] = [];
  const word = (t: number): number => words[t] ?? 0;
  for (let t = 0; t < 16; t += 1) words.push(blocks.getUint32(offset + 4 * t));
  for (let t = 16; t < 64; t += 1) {
    const [early, late] = [word(t - 15), word(t - 2)];
    const fromEarly = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const fromLate = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    words.push((word(t - 16) + fromEarly + word(t - 7) + fromLate) | 0);
  }
  return words;
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function fractions(count: number, root: (prime: number) => number): number[] {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate += 1)
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  return primes.map((prime) => ((root(prime) % 1) * 2 ** 32) >>> 0);
}
