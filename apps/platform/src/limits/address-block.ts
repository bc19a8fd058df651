import { isIP, isIPv6 } from 'node:net';
import { groupsOf } from '../../../../domain/addresses/address-rules.js';

/**
 * The block of addresses that one caller controls: an IPv4 address, or the /64 of an IPv6 address, since a host chooses
 * freely within it. IPv4 mapped into IPv6 counts as IPv4. All texts that are not an address are one block: a proxy may pass on
 * any text of a caller, which would otherwise have a limit of its own for each, and as much memory as it sends.
 */
export function addressBlock(address: string): string {
  const [plain = ''] = address.split('%');
  if (isIP(plain) === 0) return 'unknown';
  if (!isIPv6(plain)) return plain;
  const groups = groupsOf(plain);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}
