import type { ClientMetadata, JWKS } from 'oidc-provider';
import type { FdxInstitution } from '../institutions.js';
import {
  TRIAL_CERTIFICATE_SUBJECT,
  TRIAL_CLIENT_SECRET,
  TRIAL_REDIRECT_URI,
} from '../trial-values.js';

/** The changeable part of a client's registration. */
export interface ClientChanges {
  redirectUris?: readonly string[];
  /** The client's public keys: the set itself, or its address. */
  jwks?: JWKS;
  jwksUri?: string;
  /** False: the bank issues no refresh tokens to this client, whatever it requests. True by default. */
  mayRenew?: boolean;
}

/** The one client of an institution. */
export interface ClientRegistry {
  find(clientId: string): ClientMetadata | undefined;
  change(changes: ClientChanges): void;
}

export function createClientRegistry(
  institution: FdxInstitution,
  initial: ClientChanges,
): ClientRegistry {
  let current: ClientChanges = { redirectUris: [TRIAL_REDIRECT_URI], ...initial };
  return {
    find: (clientId) =>
      clientId === institution.clientId ? metadataOf(institution, current) : undefined,
    change(changes) {
      // Keys in one form replace those in the other.
      const kept = (changes.jwks ?? changes.jwksUri) ? withoutKeys(current) : current;
      current = { ...kept, ...changes };
    },
  };
}

function metadataOf(
  { clientId, clientAuthentication, dpop, rotatesRefreshTokens: _, pushedRequests }: FdxInstitution,
  { redirectUris = [], jwks, jwksUri, mayRenew = true }: ClientChanges,
): ClientMetadata {
  return {
    client_id: clientId,
    client_name: 'Tributary',
    // A native client may return to any port of this machine (RFC 8252, 7.3).
    application_type: redirectUris.every(isLoopback) ? 'native' : 'web',
    redirect_uris: [...redirectUris],
    grant_types: ['authorization_code', ...(mayRenew ? ['refresh_token'] : [])],
    response_types: ['code'],
    token_endpoint_auth_method: clientAuthentication,
    id_token_signed_response_alg: 'ES256',
    require_pushed_authorization_requests: pushedRequests === 'required',
    ...(dpop ? { dpop_bound_access_tokens: true } : {}),
    ...authenticationOf(clientAuthentication, jwks, jwksUri),
  };
}

function authenticationOf(
  method: FdxInstitution['clientAuthentication'],
  jwks: JWKS | undefined,
  jwksUri: string | undefined,
): Partial<ClientMetadata> {
  if (method === 'client_secret_basic') return { client_secret: TRIAL_CLIENT_SECRET };
  if (method === 'tls_client_auth')
    return {
      tls_client_auth_subject_dn: TRIAL_CERTIFICATE_SUBJECT,
      tls_client_certificate_bound_access_tokens: true,
    };
  return jwksUri === undefined ? { jwks: jwks ?? { keys: [] } } : { jwks_uri: jwksUri };
}

const isLoopback = (uri: string): boolean =>
  ['127.0.0.1', '[::1]'].includes(new URL(uri).hostname) && uri.startsWith('http:');

const withoutKeys = ({ jwks: _jwks, jwksUri: _jwksUri, ...kept }: ClientChanges): ClientChanges =>
  kept;
