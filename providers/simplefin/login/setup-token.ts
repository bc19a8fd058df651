import { checkAddress, type AddressPolicy } from '../client/address-policy.js';

const MAX_CHARACTERS = 4_096;
const BASE64 = /^(?:[A-Za-z0-9+/]+|[A-Za-z0-9_-]+)={0,2}$/;
const CLAIM_PATH = /\/claim\/[^/]+$/;

/**
 * The claim address in a setup token: base64 or base64url, with or without padding, white space
 * anywhere. Makes no connection.
 * @returns null for text that is no setup token of a server of the list
 */
export function readSetupToken(typed: string, policy: AddressPolicy): string | null {
  if (typed.length > MAX_CHARACTERS) return null;
  const token = typed.replace(/\s+/g, '');
  if (!BASE64.test(token)) return null;
  const encoded = token.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/');
  const bytes = Buffer.from(encoded, 'base64');
  // Refuses bits that no encoder leaves behind.
  if (bytes.toString('base64').replace(/=+$/, '') !== encoded) return null;
  const url = checkAddress(bytes.toString('latin1'), policy);
  return url !== null && CLAIM_PATH.test(url.pathname) ? url.href : null;
}
