import { parseUrl } from '../../../domain/addresses/parse-url.js';
import { checkAddress, type AddressPolicy } from '../client/address-policy.js';

const MAX_CHARACTERS = 4_096;
const BASE64 = /^(?:[A-Za-z0-9+/]+|[A-Za-z0-9_-]+)={0,2}$/;
const CLAIM_PATH = /\/claim\/[^/]+$/;

/** `unreadable` is not a setup token; `not_allowed` names an address that must not be called. */
export type SetupToken = { claimAddress: string } | { problem: 'unreadable' | 'not_allowed' };

/**
 * The claim address in a setup token: base64 or base64url, with or without padding, white space
 * anywhere. Makes no connection.
 */
export function readSetupToken(typed: string, policy: AddressPolicy): SetupToken {
  const address = decode(typed);
  if (address === null || !looksLikeClaim(address)) return { problem: 'unreadable' };
  const url = checkAddress(address, policy);
  return url !== null && CLAIM_PATH.test(url.pathname)
    ? { claimAddress: url.href }
    : { problem: 'not_allowed' };
}

function decode(typed: string): string | null {
  if (typed.length > MAX_CHARACTERS) return null;
  const token = typed.replace(/\s+/g, '');
  if (!BASE64.test(token)) return null;
  const encoded = token
    .replace(/={1,2}$/, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  const bytes = Buffer.from(encoded, 'base64');
  // Refuses bits that no encoder leaves behind.
  if (bytes.toString('base64').replace(/={1,2}$/, '') !== encoded) return null;
  return bytes.toString('latin1');
}

/** Only selects the words that the user reads: the policy decides which addresses may be called. */
const looksLikeClaim = (address: string): boolean =>
  /^https?:/i.test(address) && CLAIM_PATH.test(parseUrl(address)?.pathname ?? '');
