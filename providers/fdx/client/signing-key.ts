import {
  createHash,
  createPrivateKey,
  createPublicKey,
  webcrypto,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';

/** The key that authenticates Tributary (`private_key_jwt`). */
export interface SigningKey {
  kid: string;
  /** The public part, in the form that banks read. */
  publicJwk: Readonly<Record<string, unknown>>;
  importPrivate(): Promise<webcrypto.CryptoKey>;
}

type ImportAlgorithm = Parameters<typeof webcrypto.subtle.importKey>[2];

const CURVES: Readonly<Record<string, { alg: string; namedCurve: string }>> = {
  prime256v1: { alg: 'ES256', namedCurve: 'P-256' },
  secp384r1: { alg: 'ES384', namedCurve: 'P-384' },
  secp521r1: { alg: 'ES512', namedCurve: 'P-521' },
};

const UNREADABLE = 'signingKey is neither a private JWK nor the PEM text of a private key.';

/** @throws Error, without any content, for text that is not a private key that FAPI allows */
export function readSigningKey(text: string): SigningKey {
  const given = parse(text);
  const { alg, algorithm } = algorithmOf(given.key, given.alg);
  const jwk = createPublicKey(given.key).export({ format: 'jwk' });
  const kid = given.kid ?? thumbprint(jwk);
  return {
    kid,
    publicJwk: { ...jwk, alg, use: 'sig', kid },
    importPrivate: () =>
      webcrypto.subtle.importKey(
        'pkcs8',
        given.key.export({ type: 'pkcs8', format: 'der' }),
        algorithm,
        false,
        ['sign'],
      ),
  };
}

interface GivenKey {
  key: KeyObject;
  kid: string | null;
  alg: string | null;
}

function parse(text: string): GivenKey {
  try {
    if (!text.trimStart().startsWith('{'))
      return { key: createPrivateKey(text), kid: null, alg: null };
    const jwk = JSON.parse(text) as JsonWebKey & { kid?: unknown; alg?: unknown };
    const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null);
    const key = createPrivateKey({ key: jwk, format: 'jwk' });
    return { key, kid: textOrNull(jwk.kid), alg: textOrNull(jwk.alg) };
  } catch {
    // The message of the library could quote the key.
    throw new Error(UNREADABLE);
  }
}

function algorithmOf(
  { asymmetricKeyType: type, asymmetricKeyDetails: details = {} }: KeyObject,
  wanted: string | null,
): { alg: string; algorithm: ImportAlgorithm } {
  if (type === 'ed25519') return { alg: 'EdDSA', algorithm: { name: 'Ed25519' } };
  const curve = CURVES[details.namedCurve ?? ''];
  if (type === 'ec' && curve !== undefined)
    return { alg: curve.alg, algorithm: { name: 'ECDSA', namedCurve: curve.namedCurve } };
  if (type === 'rsa' && (details.modulusLength ?? 0) >= 2_048)
    return wanted === 'RS256'
      ? { alg: 'RS256', algorithm: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } }
      : { alg: 'PS256', algorithm: { name: 'RSA-PSS', hash: 'SHA-256' } };
  throw new Error('signingKey must be an EC key, Ed25519, or RSA with 2048 bits or more.');
}

/** RFC 7638: the required members, sorted by name. */
function thumbprint(jwk: JsonWebKey): string {
  const required = Object.entries(jwk)
    .filter(([name]) => ['crv', 'e', 'kty', 'n', 'x', 'y'].includes(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify(Object.fromEntries(required)))
    .digest('base64url');
}
