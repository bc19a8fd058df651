import type { RequestListener } from 'node:http';
import type { BlockList } from 'node:net';
import { PAGE_HEADERS } from '../pages/page-headers.js';
import { unavailablePage } from '../pages/problem-page.js';
import type { RateLimit } from '../settings.js';
import { createAddressLimit } from './address-limit.js';
import { clientAddress } from './client-address.js';

export interface RequestLimit {
  rateLimit: RateLimit | null;
  trustedProxies: BlockList;
}

/** Refuses requests of one address beyond its limit, before any work. */
export function limitRequests(limit: RequestLimit, listener: RequestListener): RequestListener {
  const { rateLimit, trustedProxies } = limit;
  if (rateLimit === null) return listener;
  const takeRequest = createAddressLimit(rateLimit, () => performance.now());
  return (incoming, response) => {
    const waitSeconds = takeRequest(clientAddress(incoming, trustedProxies));
    if (waitSeconds === 0) return listener(incoming, response);
    const page = Buffer.from(unavailablePage());
    response.writeHead(429, {
      ...PAGE_HEADERS,
      'content-type': 'text/html; charset=utf-8',
      'content-length': page.length,
      'retry-after': String(waitSeconds),
      // the body is not read, so the connection cannot be reused
      connection: 'close',
    });
    response.end(page);
  };
}
