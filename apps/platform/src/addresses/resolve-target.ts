import { lookup as systemLookup } from 'node:dns/promises';
import { literalAddress, type AddressRules } from '../../../../domain/addresses/address-rules.js';

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** Resolves a name, by default with the system resolver; tests pass their own. */
export type ResolveName = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export const resolveBySystem: ResolveName = (hostname) =>
  systemLookup(hostname, { all: true, verbatim: true });

export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';

  constructor() {
    super('the address belongs to a private network');
  }
}

/**
 * Resolves the host once and checks every result; one refused result refuses the whole target.
 * Source: webhooks 7, "When checked".
 *
 * @throws AddressRefused
 */
export async function resolveTarget(
  hostname: string,
  rules: AddressRules,
  resolve: ResolveName,
): Promise<readonly ResolvedAddress[]> {
  const literal = literalAddress(hostname);
  const addresses =
    literal === null
      ? await resolve(hostname)
      : [{ address: literal, family: literal.includes(':') ? 6 : 4 }];
  if (addresses.length === 0 || addresses.some(({ address }) => rules.refuses(address)))
    throw new AddressRefused();
  return addresses;
}
