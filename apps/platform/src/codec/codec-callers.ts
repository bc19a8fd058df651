import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import { isLoopback } from '../config/loopback.js';
import { addressBlock } from '../limits/address-block.js';

/**
 * Authentication of callers. `tokens`: by a token of the operators' issuer; `local`: by the token of a file on this machine, sent
 * from this machine; `closed`: never; `none`: everyone who reaches the port is served.
 */
export type CodecAccess =
  | { kind: 'tokens'; jwksUrl: string; issuer: string; audience: string }
  | { kind: 'local'; token: string }
  | { kind: 'closed' }
  | { kind: 'none' };

/** `actor` is the subject of a token, or `local`, or `anyone`; unproven for a refused caller. */
export type Admission =
  | { isAdmitted: true; actor: string }
  | { isAdmitted: false; status: 401 | 403 | 503; reason: string };

/** @param pathToken the path segment before `/decode`: a UI without sign-in sends no header */
type Judge = (request: IncomingMessage, pathToken?: string) => Promise<Admission>;

/** Public keys only: with a symmetric algorithm, everyone who reads the key set could sign. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
const CLOCKS_DIFFER_S = 30;
/** Headers of proxies and content delivery networks: forwarded requests do not come from this machine. */
const PASSED_ON =
  /^(forwarded|via|cdn-loop|true-client-ip|x-real-ip|x-(forwarded|original|client|cluster|envoy|amzn|azure)(-.*)?|(cf|fastly|fly)-.*)$/;

/** Decides which callers may decode. An Origin header is not proof: it only names the page in a browser. */
export function createCodecAdmission(access: CodecAccess): Judge {
  switch (access.kind) {
    case 'tokens':
      return judgeTokens(access);
    case 'local':
      return async (request, pathToken) => judgeLocal(request, access.token, pathToken);
    case 'closed':
      return async () => refused(403, 'no way to sign in is configured');
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
  return async (request) => {
    const token = bearerOf(request);
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

/** Our own words: the caller controls the text of a token. */
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

/** The token alone would suffice; the other checks make a leaked token, or a page, useless elsewhere. */
function judgeLocal(
  request: IncomingMessage,
  token: string,
  pathToken: string | undefined,
): Admission {
  const { headers, socket } = request;
  const peer = addressBlock(socket.remoteAddress ?? '');
  if (!peer.startsWith('127.') && peer !== LOOPBACK_6) return refused(403, 'not from this machine');
  if (Object.keys(headers).some((name) => PASSED_ON.test(name)))
    return refused(403, 'passed on by a proxy');
  // A page of a stranger may have a name that leads to this machine (DNS rebinding).
  if (!isLoopback(`http://${headers.host ?? ''}`)) return refused(403, 'wrong Host header');
  const given = pathToken ?? bearerOf(request);
  if (given === undefined) return refused(401, 'no token');
  if (!timingSafeEqual(digest(given), digest(token))) return refused(401, 'wrong local token');
  return { isAdmitted: true, actor: 'local' };
}

const bearerOf = ({ headers: { authorization = '' } }: IncomingMessage): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization)?.[1];

/** Of equal length, so that the comparison takes the same time for every guess. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const LOOPBACK_6 = addressBlock('::1');

const refused = (status: 401 | 403 | 503, reason: string): Admission => ({
  isAdmitted: false,
  status,
  reason,
});
