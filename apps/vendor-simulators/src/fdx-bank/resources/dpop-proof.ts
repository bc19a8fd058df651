import { createHash } from 'node:crypto';
import { calculateJwkThumbprint, EmbeddedJWK, jwtVerify } from 'jose';

const ALGORITHMS = ['ES256', 'PS256', 'Ed25519'];
/** How far the clocks of client and bank may differ. */
const MAX_AGE_SECONDS = 60;

export interface DpopRequest {
  proof: string | null;
  method: string;
  /** The address without query, as the client called it. */
  address: string;
  accessToken: string;
  /** The thumbprint that the access token is bound to. */
  thumbprint: string;
}

export type CheckDpopProof = (request: DpopRequest) => Promise<boolean>;

/** The check of RFC 9449, 4.3 and 7.1; each proof is taken once. */
export function createDpopProofCheck(): CheckDpopProof {
  const seen = new Map<string, number>();
  return async ({ proof, method, address, accessToken, thumbprint }) => {
    if (proof === null) return false;
    try {
      const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
        typ: 'dpop+jwt',
        algorithms: ALGORITHMS,
        maxTokenAge: MAX_AGE_SECONDS,
        clockTolerance: 5,
        requiredClaims: ['jti', 'htm', 'htu', 'ath', 'iat'],
      });
      const isMeant =
        payload['htm'] === method &&
        payload['htu'] === address &&
        payload['ath'] === createHash('sha256').update(accessToken).digest('base64url') &&
        protectedHeader.jwk !== undefined &&
        (await calculateJwkThumbprint(protectedHeader.jwk)) === thumbprint;
      return isMeant && isFirst(String(payload.jti));
    } catch {
      return false;
    }
  };

  function isFirst(id: string): boolean {
    const now = Date.now();
    for (const [old, until] of seen) if (until < now) seen.delete(old);
    if (seen.has(id)) return false;
    seen.set(id, now + 2 * MAX_AGE_SECONDS * 1_000);
    return true;
  }
}
