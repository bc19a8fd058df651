import type { RequestListener } from 'node:http';
import { blockListOf, type AddressRange } from '../../../domain/addresses/address-rules.js';
import type { RateLimit } from '../../../apps/platform/src/config/setting-parsers.js';
import { addressBlock } from '../../../apps/platform/src/limits/address-block.js';
import { TokenBuckets } from '../../../apps/platform/src/limits/token-buckets.js';
import { PAGE_HEADERS } from '../pages/page-headers.js';
import { unavailablePage } from '../pages/problem-page.js';
import { clientAddress } from './client-address.js';

export interface RequestLimit {
  rateLimitSandboxBank: RateLimit | 'off';
  trustedProxies: readonly AddressRange[];
}

/** Refuses requests of one address beyond its limit, before any work. */
export function limitRequests(
  { rateLimitSandboxBank, trustedProxies }: RequestLimit,
  listener: RequestListener,
): RequestListener {
  const buckets = new TokenBuckets(rateLimitSandboxBank);
  const proxies = blockListOf(trustedProxies);
  return (incoming, response) => {
    const waitSeconds = buckets.take(addressBlock(clientAddress(incoming, proxies)));
    if (waitSeconds === 0) return listener(incoming, response);
    const page = Buffer.from(unavailablePage());
    response.writeHead(429, {
      ...PAGE_HEADERS,
      'content-type': 'text/html; charset=utf-8',
      'content-length': page.length,
      'retry-after': String(Math.ceil(waitSeconds)),
      // the body is not read, so the connection cannot be reused
      connection: 'close',
    });
    response.end(page);
  };
}
