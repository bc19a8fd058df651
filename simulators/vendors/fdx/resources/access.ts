import type Provider from 'oidc-provider';
import type { SimulatorRequest } from '../../../http/request.js';
import { clientCertificateOf, thumbprintOf } from '../authorization/client-certificate.js';
import type { Consent, Consents } from '../authorization/consents.js';
import type { DataScope } from '../authorization/data-scopes.js';
import { createDpopProofCheck } from './dpop-proof.js';
import { FdxError } from './fdx-error.js';

export interface AccessParts {
  server: Provider;
  consents: Consents;
  /** The token type of the institution. */
  scheme: 'DPoP' | 'Bearer';
  needsDpopNonce: boolean;
}

/** The data that a call may see. */
export interface Access extends Consent {
  has(scope: DataScope): boolean;
}

/**
 * Finds the access of a token, and refuses a token that is unknown, expired, or bound to a key or
 * certificate that the caller does not show.
 */
export function createAccessCheck({ server, consents, scheme, needsDpopNonce }: AccessParts) {
  const proofs = createDpopProofCheck({ needsNonce: needsDpopNonce });

  return async (request: SimulatorRequest, address: string): Promise<Access> => {
    const value = tokenOf(request);
    if (value === null) throw new FdxError(603, challenge());
    const token = await server.AccessToken.find(value);
    const consent = token?.grantId === undefined ? null : consents.find(token.grantId);
    if (token === undefined || consent === null)
      throw new FdxError(603, challenge('invalid_token'));
    const certificate = clientCertificateOf(request.incoming);
    const wanted = token['x5t#S256'];
    if (wanted !== undefined && (certificate === undefined || thumbprintOf(certificate) !== wanted))
      throw new FdxError(603, challenge('invalid_token'));
    if (token.jkt !== undefined) await prove(request, address, value, token.jkt);
    const scopes = token.scopes;
    return { ...consent, has: (scope) => scopes.has(scope) };
  };

  function tokenOf({ headers }: SimulatorRequest): string | null {
    const [given, value, ...rest] = headers.authorization?.split(' ') ?? [];
    if (value === undefined || rest.length > 0) return null;
    return given?.toLowerCase() === scheme.toLowerCase() ? value : null;
  }

  /** @throws FdxError for a proof that does not show the key of the token */
  async function prove(
    request: SimulatorRequest,
    address: string,
    accessToken: string,
    thumbprint: string,
  ): Promise<void> {
    const proof = request.header('dpop');
    const { method } = request;
    const error = await proofs.check({ proof, method, address, accessToken, thumbprint });
    if (error === null) return;
    const headersOfError = challenge(error);
    if (proofs.nonce !== null) headersOfError['dpop-nonce'] = proofs.nonce;
    throw new FdxError(603, headersOfError);
  }

  function challenge(error?: string): Record<string, string> {
    const parts = [
      ...(error === undefined ? [] : [`error="${error}"`]),
      ...(scheme === 'DPoP' ? ['algs="ES256 PS256 Ed25519"'] : []),
    ];
    return { 'www-authenticate': [scheme, parts.join(', ')].join(' ').trim() };
  }
}

/** @throws FdxError 403 with the missing scope (RFC 6750, 3.1) */
export function requireScope(access: Access, scope: DataScope, scheme: string): void {
  if (access.has(scope)) return;
  throw new FdxError(602, {
    'www-authenticate': `${scheme} error="insufficient_scope", scope="${scope}"`,
  });
}
