import { z } from 'zod';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import type { ProviderSecret } from '../../contract/provider.js';

/** An account of a session. */
const account = z.object({
  /** Tributary's id: `providerAccountId`. */
  id: z.string(),
  /** The vendor's id, valid in this session only. */
  uid: z.string(),
  /** The number never changes: the id is a digest of it. Null for cards. */
  iban: z.string().nullable(),
  /** A national number, for accounts without an IBAN. */
  bban: z.string().nullable(),
  bic: z.string().nullable(),
  /** Null for accounts that hold several, or none yet. */
  currency: z.string().nullable(),
});
export type SessionAccount = z.output<typeof account>;

const credential = z.object({
  sessionId: z.string(),
  /** `required_psu_headers` of the bank. */
  psuHeaders: z.array(z.string()),
  accounts: z.array(account),
});
/** The facts that open a session, together with the operator's key. */
export type Credential = z.output<typeof credential>;

const redirect = z.object({
  state: z.string(),
  redirectUri: z.string(),
  aspsp: z.object({ name: z.string(), country: z.string() }),
  bic: z.string().nullable(),
  psuHeaders: z.array(z.string()),
});
/** The facts that must survive while the user is at the bank. */
export type Redirect = z.output<typeof redirect>;

export const encodeCredential = (value: Credential): ProviderSecret => encode(value);
export const encodeRedirect = (value: Redirect): ProviderSecret => encode(value);

/** @throws ProviderFailure `internal`, without any content, for bytes this adapter did not write */
export const decodeCredential = (bytes: ProviderSecret): Credential =>
  decode(credential, bytes, 'credential');
export const decodeRedirect = (bytes: ProviderSecret): Redirect =>
  decode(redirect, bytes, 'redirect');

const encode = (value: object): ProviderSecret => new TextEncoder().encode(JSON.stringify(value));

function decode<T extends z.ZodType>(schema: T, bytes: ProviderSecret, what: string): z.output<T> {
  try {
    return schema.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch {
    // The parser's own message could quote the secret.
    throw new ProviderFailure('internal', `The stored ${what} was not written by this provider.`);
  }
}
