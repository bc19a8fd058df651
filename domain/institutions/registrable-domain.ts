import { getDomain } from 'tldts';

/**
 * The part of an address that its owner registered: `www.example.co.uk` gives `example.co.uk`. Of
 * a service that hosts others the part below it. Null for an address without one, such as an IP
 * address. The list of public suffixes is part of `tldts`; nothing is looked up.
 */
export function registrableDomain(address: string): string | null {
  return getDomain(address, { allowPrivateDomains: true });
}
