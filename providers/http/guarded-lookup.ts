import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { AddressReach } from './address-reach.js';

/** The code of the error for an address that must not be connected to. */
export const ADDRESS_REFUSED = 'ADDRESS_REFUSED';

/** Resolves a name to all its addresses; tests pass their own. */
export type ResolveAll = (
  hostname: string,
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

const resolveBySystem: ResolveAll = (hostname, callback) => {
  systemLookup(hostname, { all: true, verbatim: true }, callback);
};

/**
 * Resolves names for connections, and refuses a name if any of its addresses is refused. It runs
 * when a connection is made, so a name that changes after it was checked cannot lead elsewhere.
 * Literal addresses are never looked up: `createDispatcher` checks them.
 */
export function guardedLookup(
  reach: AddressReach,
  resolve: ResolveAll = resolveBySystem,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, (error, addresses) => {
      if (error !== null) return callback(error, []);
      const [first] = addresses;
      if (first === undefined || addresses.some(({ address }) => reach.refuses(address)))
        return callback(addressRefused(), []);
      if (options.all === true) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };
}

/** Omits the address, which must not be visible outside the network. */
export function addressRefused(): NodeJS.ErrnoException {
  return Object.assign(new Error('the connection leads to an address of a private network'), {
    code: ADDRESS_REFUSED,
  });
}
