import { Agent, buildConnector, type Dispatcher } from 'undici';
import { literalAddress } from '../../domain/addresses/address-rules.js';
import type { AddressReach } from './address-reach.js';
import { addressRefused, guardedLookup, type ResolveAll } from './guarded-lookup.js';
import type { BankHttpLimits } from './http-limits.js';

export interface DispatcherParts {
  limits: BankHttpLimits;
  /** Where connections may lead. */
  reach: AddressReach;
  /** Tests pass their own. */
  resolve?: ResolveAll | undefined;
  /** PEM texts: `ca` in place of the authorities of Node, `cert` and `key` of the client. */
  tls?: { ca?: string; cert?: string; key?: string };
}

/**
 * What every call of an adapter goes through. Addresses are judged when the connection is made,
 * those of names and literal ones alike; redirects are not followed. HTTP/1.1, whatever a source offers.
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
