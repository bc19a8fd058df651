import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';

const ISSUER = 'enablebanking.com';
const AUDIENCE = 'api.enablebanking.com';
/** Prevents a slightly fast clock from signing in the future. */
const ISSUED_AGO_SECONDS = 30;
/** The API accepts a day; with a short lifetime, a leaked token soon becomes useless. */
const VALID_FOR_SECONDS = 300;

export type TokenSigner = () => Promise<string>;

/** Signs a token for a call, as the vendor documents it. @param privateKey PEM */
export function createTokenSigner(
  { applicationId, privateKey }: { applicationId: string; privateKey: string },
  now: () => Date,
): TokenSigner {
  const key = createPrivateKey(privateKey);
  return () => {
    const seconds = Math.floor(now().getTime() / 1_000);
    return new SignJWT()
      .setProtectedHeader({ typ: 'JWT', alg: 'RS256', kid: applicationId })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setIssuedAt(seconds - ISSUED_AGO_SECONDS)
      .setExpirationTime(seconds + VALID_FOR_SECONDS)
      .sign(key);
  };
}
