import { createServer, type RequestListener, type Server } from 'node:http';
import { BlockList, isIP, isIPv4, type Socket } from 'node:net';
import { ExpressAdapter } from '@nestjs/platform-express';
import { addressBlock } from '../../../platform/src/addresses/address-block.js';
import type { AddressRange } from '../../../../domain/addresses/address-rules.js';

export interface ConnectionBounds {
  /** Milliseconds for a whole request to arrive; then 408, and the connection is closed. */
  requestTimeout: number;
  maxConnections: number;
  maxConnectionsPerAddress: number;
  /** Their connections carry many callers, and count only toward the total. */
  trustedProxies: readonly AddressRange[];
}

const HEADERS_TIMEOUT_MS = 15_000;
/** Longer than load balancers keep idle connections. */
const KEEP_ALIVE_MS = 65_000;
/** How late an expired connection may be closed. */
const CHECK_EVERY_MS = 5_000;

/** Express on a server that limits what a connection may cost before its request is known. */
export class BoundedHttpAdapter extends ExpressAdapter {
  constructor(private readonly bounds: ConnectionBounds) {
    super();
  }

  override initHttpServer(): void {
    const { requestTimeout, maxConnections, maxConnectionsPerAddress, trustedProxies } =
      this.bounds;
    const server = createServer(
      {
        requestTimeout,
        headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeout),
        keepAliveTimeout: KEEP_ALIVE_MS,
        connectionsCheckingInterval: Math.min(CHECK_EVERY_MS, requestTimeout),
      },
      this.getInstance<RequestListener>(),
    );
    server.maxConnections = maxConnections;
    limitByAddress(server, maxConnectionsPerAddress, trustedProxies);
    this.httpServer = server;
  }
}

/** Closes connections of one address beyond `most`, so that it cannot use up those of all. */
function limitByAddress(
  server: Server,
  max: number,
  trustedProxies: readonly AddressRange[],
): void {
  const proxies = new BlockList();
  for (const { address, prefix, family } of trustedProxies)
    proxies.addSubnet(address, prefix, family);
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    if (
      isIP(remoteAddress) !== 0 &&
      proxies.check(remoteAddress, isIPv4(remoteAddress) ? 'ipv4' : 'ipv6')
    )
      return;
    const address = addressBlock(remoteAddress);
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
    if (count > max) socket.destroy();
  });
}
