import type { IncomingMessage } from 'node:http';
import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import { isLoopback } from '../config/loopback.js';
import { addressBlock } from '../limits/address-block.js';

/** How callers are known. `loopback`: by being on this machine; `none`: everyone who reaches the port. */
export type CodecAccess =
  | { kind: 'tokens'; jwksUrl: string; issuer: string; audience: string }
  | { kind: 'loopback' }
  | { kind: 'none' };

/** `actor` is the subject of a token, or `loopback`, or `anyone`; of a refused caller it is not proven. */
export type Admission =
  | { isAdmitted: true; actor: string }
  | { isAdmitted: false; status: 401 | 403 | 503; reason: string };

type Judge = (request: IncomingMessage) => Promise<Admission>;

/** Public keys only: with a symmetric algorithm, everyone who reads the key set could sign. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
const CLOCKS_DIFFER_S = 30;
/** A request that a proxy on this machine passes on is not of this machine. */
const PASSED_ON = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/** Judges who may decode. An Origin header is no proof: it only says which page a browser shows. */
export function createCodecAdmission(access: CodecAccess): Judge {
  switch (access.kind) {
    case 'tokens':
      return judgeTokens(access);
    case 'loopback':
      return async (request) => judgeLoopback(request);
    case 'none':
      return async () => ({ isAdmitted: true, actor: 'anyone' });
  }
}

function judgeTokens({
  jwksUrl,
  issuer,
  audience,
}: Extract<CodecAccess, { kind: 'tokens' }>): Judge {
  const keys = createRemoteJWKSet(new URL(jwksUrl));
  return async ({ headers: { authorization = '' } }) => {
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    if (token === undefined) return refused(401, 'no token');
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCKS_DIFFER_S,
        requiredClaims: ['exp', 'sub'],
      });
      return { isAdmitted: true, actor: String(payload.sub) };
    } catch (error) {
      return refusedToken(error);
    }
  };
}

/** In words of ours: the text of a token is the caller's. */
function refusedToken(error: unknown): Admission {
  if (error instanceof errors.JWTExpired) return refused(401, 'expired token');
  if (error instanceof errors.JWTClaimValidationFailed)
    return refused(
      401,
      `wrong ${['iss', 'aud', 'sub', 'exp', 'nbf'].includes(error.claim) ? error.claim : 'claim'} in the token`,
    );
  if (error instanceof errors.JOSEAlgNotAllowed) return refused(401, 'algorithm not allowed');
  if (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWSSignatureVerificationFailed
  )
    return refused(401, 'not signed by the issuer');
  if (
    error instanceof errors.JWSInvalid ||
    error instanceof errors.JWTInvalid ||
    error instanceof errors.JOSENotSupported
  )
    return refused(401, 'not a signed token');
  return refused(503, 'keys of the issuer not available');
}

function judgeLoopback({ headers, socket }: IncomingMessage): Admission {
  const peer = addressBlock(socket.remoteAddress ?? '');
  if (!peer.startsWith('127.') && peer !== LOOPBACK_6) return refused(403, 'not from this machine');
  if (PASSED_ON.some((name) => headers[name] !== undefined))
    return refused(403, 'passed on by a proxy');
  // A page of a stranger may have a name that leads to this machine (DNS rebinding).
  if (!isLoopback(`http://${headers.host ?? ''}`)) return refused(403, 'wrong Host header');
  return { isAdmitted: true, actor: 'loopback' };
}

const LOOPBACK_6 = addressBlock('::1');

const refused = (status: 401 | 403 | 503, reason: string): Admission => ({
  isAdmitted: false,
  status,
  reason,
});
