import type { IncomingMessage } from 'node:http';
import { isIP, type BlockList } from 'node:net';

/** The sender of a request: the last address, from the nearest on, that is not a trusted proxy. */
export function clientAddress(incoming: IncomingMessage, trustedProxies: BlockList): string {
  const forwarded = String(incoming.headers['x-forwarded-for'] ?? '').split(',');
  let address = incoming.socket.remoteAddress ?? '';
  for (const before of forwarded.map((part) => part.trim()).reverse()) {
    if (isIP(before) === 0 || !isTrusted(address, trustedProxies)) break;
    address = before;
  }
  return address;
}

function isTrusted(address: string, trustedProxies: BlockList): boolean {
  const family = isIP(address);
  return family !== 0 && trustedProxies.check(address, family === 6 ? 'ipv6' : 'ipv4');
}
