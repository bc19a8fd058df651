import type { IncomingMessage } from 'node:http';
import { isIP, type BlockList } from 'node:net';
import {
  blockListOf,
  isListed,
  type AddressRange,
} from '../../../domain/addresses/address-rules.js';
import type { RateLimit } from '../../../apps/platform/src/config/setting-parsers.js';
import { addressBlock } from '../../../apps/platform/src/limits/address-block.js';
import { TokenBuckets } from '../../../apps/platform/src/limits/token-buckets.js';
import type { Handler } from '../../http/routes.js';
import { unavailablePage } from '../pages/problem-page.js';

export interface RequestLimit {
  rateLimitSandboxBank: RateLimit | 'off';
  trustedProxies: readonly AddressRange[];
}

/** Refuses requests of one address beyond its limit, before any work. */
export function limitRequests(
  { rateLimitSandboxBank, trustedProxies }: RequestLimit,
  handle: Handler,
): Handler {
  const buckets = new TokenBuckets(rateLimitSandboxBank);
  const proxies = blockListOf(trustedProxies);
  return (request) => {
    const waitSeconds = buckets.take(addressBlock(clientAddress(request.incoming, proxies)));
    if (waitSeconds === 0) return handle(request);
    // the body is not read, so the connection cannot be reused
    const headers = { 'retry-after': String(Math.ceil(waitSeconds)), connection: 'close' };
    return unavailablePage(429, headers);
  };
}

/** The sender of a request: the last address, from the nearest on, that is not a trusted proxy. */
function clientAddress(incoming: IncomingMessage, trustedProxies: BlockList): string {
  const forwarded = String(incoming.headers['x-forwarded-for'] ?? '').split(',');
  let address = incoming.socket.remoteAddress ?? '';
  for (const before of forwarded.map((part) => part.trim()).reverse()) {
    if (isIP(before) === 0 || isIP(address) === 0 || !isListed(trustedProxies, address)) break;
    address = before;
  }
  return address;
}
