import { createHash, randomBytes } from 'node:crypto';
import { calculateJwkThumbprint, EmbeddedJWK, jwtVerify } from 'jose';

const ALGORITHMS = ['ES256', 'PS256', 'Ed25519'];
/** The tolerance between the clocks of client and bank. */
const MAX_AGE_SECONDS = 60;

export interface DpopRequest {
  proof: string | null;
  method: string;
  /** The address that the client called, without query. */
  address: string;
  accessToken: string;
  /** The thumbprint that the access token is bound to. */
  thumbprint: string;
}

export interface DpopProofCheck {
  /** The nonce that proofs must repeat (RFC 9449, 9); null where none is required. */
  nonce: string | null;
  /** @returns the error of RFC 9449, or null for a good proof */
  check(request: DpopRequest): Promise<'invalid_dpop_proof' | 'use_dpop_nonce' | null>;
}

/** The check of RFC 9449, 4.3 and 7.1; each proof is accepted once. */
export function createDpopProofCheck({ needsNonce }: { needsNonce: boolean }): DpopProofCheck {
  const seen = new Map<string, number>();
  const nonce = needsNonce ? randomBytes(16).toString('base64url') : null;
  return { nonce, check };

  async function check({ proof, method, address, accessToken, thumbprint }: DpopRequest) {
    if (proof === null) return 'invalid_dpop_proof';
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
      if (isMeant && nonce !== null && payload['nonce'] !== nonce) return 'use_dpop_nonce';
      return isMeant && isFirst(String(payload.jti)) ? null : 'invalid_dpop_proof';
    } catch {
      return 'invalid_dpop_proof';
    }
  }

  function isFirst(id: string): boolean {
    const now = Date.now();
    for (const [old, until] of seen) if (until < now) seen.delete(old);
    if (seen.has(id)) return false;
    seen.set(id, now + 2 * MAX_AGE_SECONDS * 1_000);
    return true;
  }
}
