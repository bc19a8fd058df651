import type { IncomingMessage } from 'node:http';
import { isIP, type BlockList } from 'node:net';
import { isListed } from '../../../domain/addresses/address-rules.js';

/** The sender of a request: the last address, from the nearest on, that is not a trusted proxy. */
export function clientAddress(incoming: IncomingMessage, trustedProxies: BlockList): string {
  const forwarded = String(incoming.headers['x-forwarded-for'] ?? '').split(',');
  let address = incoming.socket.remoteAddress ?? '';
  for (const before of forwarded.map((part) => part.trim()).reverse()) {
    if (isIP(before) === 0 || isIP(address) === 0 || !isListed(trustedProxies, address)) break;
    address = before;
  }
  return address;
}
