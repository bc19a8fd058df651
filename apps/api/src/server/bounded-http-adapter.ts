import { createServer, type RequestListener, type Server } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Response } from 'express';
import {
  blockListOf,
  isListed,
  type AddressRange,
} from '../../../../domain/addresses/address-rules.js';
import { stateOf } from '../http/request-state.js';
import { MAX_PARSED_HEAD_BYTES } from '../http/input/head-size.js';
import { addressBlock } from '../../../platform/src/limits/address-block.js';

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
/** The longest delay in closing an expired connection. */
const CHECK_EVERY_MS = 5_000;

/** Express on a server that limits the cost of a connection before its request is known. */
export class BoundedHttpAdapter extends ExpressAdapter {
  constructor(private readonly bounds: ConnectionBounds) {
    super(exactExpress());
  }

  /** The response to a handler that returns an object. */
  override reply(response: Response, body: unknown, status?: number): unknown {
    if (typeof body !== 'object' || body === null) return super.reply(response, body, status);
    const text = JSON.stringify(body);
    stateOf(response.req).holdResponse(response, Buffer.byteLength(text));
    if (!response.hasHeader('Content-Type'))
      response.setHeader('Content-Type', 'application/json; charset=utf-8');
    return super.reply(response, text, status);
  }

  override initHttpServer(): void {
    const { requestTimeout, maxConnections, maxConnectionsPerAddress, trustedProxies } =
      this.bounds;
    const server = createServer(
      {
        requestTimeout,
        maxHeaderSize: MAX_PARSED_HEAD_BYTES,
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

/**
 * Every path has one spelling (native-api 1). By default Express also serves `/HEALTH/live` and `/links/`, which rules of
 * proxies for the written path miss. Both settings take effect only before the first middleware.
 */
function exactExpress(): Express {
  return express().enable('case sensitive routing').enable('strict routing');
}

/** Closes connections of one address beyond `most`, so that it cannot use up those of all. */
function limitByAddress(
  server: Server,
  max: number,
  trustedProxies: readonly AddressRange[],
): void {
  const proxies = blockListOf(trustedProxies);
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    if (isIP(remoteAddress) !== 0 && isListed(proxies, remoteAddress)) return;
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
