export type Pairs = [name: string, value: string][];

export function encodeSegment(text: string): string {
  return encode(text).replaceAll('.', '%2E');
}

/**
 * Lone surrogates have no UTF-8 encoding, so these bytes are sent as a careless client would send
 * them.
 */
function encode(text: string): string {
  return [...text]
    .map((character) => (/\p{Cs}/u.test(character) ? '%ED%A0%80' : encodeURIComponent(character)))
    .join('');
}

export function urlEncoded(pairs: Pairs): string {
  return pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
}
