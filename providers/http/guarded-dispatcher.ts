import { Agent, buildConnector, type Dispatcher } from 'undici';
import { literalAddress } from '../../domain/addresses/address-rules.js';
import type { AddressReach } from './address-reach.js';
import { addressRefused, guardedLookup, type ResolveAll } from './guarded-lookup.js';
import type { BankHttpLimits } from './http-limits.js';

export interface DispatcherParts {
  limits: BankHttpLimits;
  /** The addresses that connections may reach. */
  reach: AddressReach;
  /** Replaced by tests. */
  resolve?: ResolveAll | undefined;
  /** PEM texts: `ca` replaces the authorities of Node; `cert` and `key` belong to the client. */
  tls?: { ca?: string; cert?: string; key?: string };
}

/**
 * The dispatcher of every adapter call. Addresses are judged when the connection is made, both
 * resolved and literal ones; redirects are not followed. Always HTTP/1.1, regardless of what a
 * source supports.
 */
export function createDispatcher({ limits, reach, resolve, tls }: DispatcherParts): Dispatcher {
  const connect = buildConnector({
    timeout: limits.connectTimeoutMs,
    allowH2: false,
    lookup: guardedLookup(reach, resolve),
    ...tls,
  });
  return new Agent({
    allowH2: false,
    connect(options, callback) {
      const literal = literalAddress(options.hostname);
      if (literal === null || !reach.refuses(literal)) connect(options, callback);
      else callback(addressRefused(), null);
    },
    headersTimeout: limits.silenceTimeoutMs,
    bodyTimeout: limits.silenceTimeoutMs,
    maxResponseSize: limits.maxResponseBytes,
    connections: 32,
  });
}
