import { createHash } from 'node:crypto';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import type { ProviderSecret } from '../../contract/provider.js';
import { checkAddress, type AddressPolicy } from './address-policy.js';

/** The result of a claim: the address of the data, and the Basic credentials that open it. */
export interface Access {
  /** Without credentials and without a trailing slash. */
  root: string;
  authorization: string;
}

const ACCESS_URL = /^(https?:\/\/)([^/@:?#]{1,500}):([^/@:?#]{1,500})@([^@?#]+)$/;

/** @returns null for text that is not an access URL, or is one that must not be called */
export function readAccessUrl(text: string, policy: AddressPolicy): Access | null {
  const [, scheme = '', user = '', password = '', place = ''] = ACCESS_URL.exec(text) ?? [];
  const address = place.includes('/') ? place : `${place}/`;
  const root = checkAddress(scheme + address, policy);
  const pair = plain(`${user}:${password}`);
  if (root === null || pair === null) return null;
  return {
    root: root.href.replace(/(?<!\/)\/+$/, ''),
    authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
  };
}

/** The credential is the access URL itself. */
export const encodeCredential = (accessUrl: string): ProviderSecret =>
  new TextEncoder().encode(accessUrl);

/**
 * Checks the address again, because the operator may have changed the list of hosts.
 * @throws ProviderFailure `internal`, without any content
 */
export function decodeCredential(bytes: ProviderSecret, policy: AddressPolicy): Access {
  const access = readAccessUrl(new TextDecoder().decode(bytes), policy);
  if (access === null) {
    throw new ProviderFailure(
      'internal',
      'The stored access URL was not written by this provider, or its host is no longer allowed.',
    );
  }
  return access;
}

/** An id of the permission that reveals nothing about it: the credentials have 256 random bits. */
export const referenceOf = (accessUrl: string): string =>
  createHash('sha256').update(`simplefin-access/${accessUrl}`).digest('base64url');

function plain(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}
