import { getDomain } from 'tldts';

/**
 * The part of an address that its owner registered: `example.co.uk` for `www.example.co.uk`. For a
 * service that hosts others, the part below it. Null for an address without one, such as an IP
 * address. The list of public suffixes is part of `tldts`; there are no network lookups.
 */
export function registrableDomain(address: string): string | null {
  return getDomain(address, { allowPrivateDomains: true });
}
