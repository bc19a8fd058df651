import type { JsonWebKey } from 'node:crypto';
import { z } from 'zod';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import type { ProviderSecret } from '../../contract/provider.js';

const jwkSchema = z.looseObject({ kty: z.string() });

const credentialSchema = z.strictObject({
  access_token: z.string(),
  /** Milliseconds since 1970; null = the bank does not report it. */
  ends_at: z.number().nullable(),
  /** Null = the bank issued none: the permission ends with the access token. */
  refresh_token: z.string().nullable(),
  dpop_key: jwkSchema.nullable(),
});

/** Opens a permission. Leaves this folder only as bytes for the core to seal. */
export interface Credential {
  accessToken: string;
  endsAt: number | null;
  refreshToken: string | null;
  /** The private key to which the tokens are bound (RFC 9449). */
  dpopKey: JsonWebKey | null;
}

export function encodeCredential(credential: Credential): ProviderSecret {
  return encodeBytes({
    access_token: credential.accessToken,
    ends_at: credential.endsAt,
    refresh_token: credential.refreshToken,
    dpop_key: credential.dpopKey,
  });
}

export function decodeCredential(bytes: ProviderSecret): Credential {
  const stored = decodeBytes(bytes, credentialSchema, 'credential');
  return {
    accessToken: stored.access_token,
    endsAt: stored.ends_at,
    refreshToken: stored.refresh_token,
    dpopKey: stored.dpop_key,
  };
}

const redirectSchema = z.strictObject({
  reference: z.string(),
  redirect_uri: z.string(),
  state: z.string(),
  nonce: z.string().nullable(),
  code_verifier: z.string(),
  dpop_key: jwkSchema.nullable(),
});

/** The facts that must survive until the user returns. */
export type StartedRedirect = z.output<typeof redirectSchema>;

export const encodeRedirect = (started: StartedRedirect): ProviderSecret => encodeBytes(started);

export const decodeRedirect = (bytes: ProviderSecret): StartedRedirect =>
  decodeBytes(bytes, redirectSchema, 'redirect');

const encodeBytes = (value: object): ProviderSecret =>
  new TextEncoder().encode(JSON.stringify(value));

/** @throws ProviderFailure `internal`, without any content, for bytes this adapter did not write */
function decodeBytes<T>(bytes: ProviderSecret, schema: z.ZodType<T>, what: string): T {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return schema.parse(JSON.parse(text));
  } catch {
    throw new ProviderFailure('internal', `The stored ${what} was not written by this provider.`);
  }
}
