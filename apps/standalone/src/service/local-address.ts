import { isIPv6 } from 'node:net';

/** Listening on one of these is listening on every address of the computer, loopback among them. */
const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** The address at which this computer itself reaches a process that listens on the host and port. */
export function localAddress(host: string, port: number): string {
  if (EVERY_ADDRESS.has(host)) return `http://127.0.0.1:${port}`;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
