import { WebhookVerificationError } from '../errors.js';

/** A JWT whose signature is not verified yet. */
export interface Jwt {
  kid: string;
  /** The signed bytes. */
  signed: ArrayBuffer;
  signature: ArrayBuffer;
  /** To be called once the signature is verified. */
  readClaims(): Record<string, unknown>;
}

/**
 * Reads a JWT in compact form. Of its header only `alg` and `kid` count: a key that travels with the
 * request proves nothing.
 * @throws WebhookVerificationError unless it names a key and the algorithm ES256
 */
export function readJwt(text: string): Jwt {
  const [header, claims, signature, ...more] = text.split('.');
  if (header === undefined || claims === undefined || signature === undefined || more.length > 0)
    return refuse();
  const { alg, kid } = parse(header);
  if (alg !== 'ES256' || typeof kid !== 'string') return refuse();
  return {
    kid,
    signed: new Uint8Array(new TextEncoder().encode(`${header}.${claims}`)).buffer,
    signature: decode(signature).buffer,
    readClaims: () => parse(claims),
  };
}

function parse(part: string): Record<string, unknown> {
  try {
    const value = JSON.parse(new TextDecoder().decode(decode(part))) as unknown;
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Refused below.
  }
  return refuse();
}

function decode(base64url: string): Uint8Array<ArrayBuffer> {
  if (!/^[\w-]*$/.test(base64url)) return refuse();
  try {
    const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(text, (character) => character.charCodeAt(0));
  } catch {
    return refuse();
  }
}

function refuse(): never {
  throw new WebhookVerificationError(
    'malformed_signature',
    'The signature is not one JWT of the algorithm ES256 that names its key.',
  );
}
