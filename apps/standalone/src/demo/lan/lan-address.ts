import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isFree } from '../../ports.js';
import { StartFailure } from '../../start-failure.js';

/** Ranges of home and office networks (RFC 1918); containers and tunnels often use others. */
const PRIVATE = /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/;

/**
 * The address at which phones in the same network reach this computer.
 * @param given by the user, for a computer with several
 * @throws StartFailure when it is not an address of this computer, or the computer has none
 */
export async function lanAddress(given: string | undefined): Promise<string> {
  const own = ownAddresses();
  const known = own.length === 0 ? 'none' : own.join(', ');
  if (given === undefined) {
    const [first] = own;
    if (first === undefined)
      throw new StartFailure('This computer has no IPv4 address that other devices reach.');
    return first;
  }
  if (!isIPv4(given) || given === '0.0.0.0' || !(await isFree(given, 0)))
    throw new StartFailure(
      `--address ${given} is not an IPv4 address of this computer. It has: ${known}.`,
    );
  return given;
}

/** Those of home and office networks first. */
export function ownAddresses(): string[] {
  const addresses = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
  return [
    ...addresses.filter((address) => PRIVATE.test(address)),
    ...addresses.filter((address) => !PRIVATE.test(address)),
  ];
}
