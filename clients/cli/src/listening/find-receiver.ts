import { connect } from 'node:net';

const WITHIN_MS = 2_000;

/** Tries to connect to the address of a receiver, and sends nothing. */
export function findReceiver({ hostname, port, protocol }: URL): Promise<boolean> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  return new Promise((resolve) => {
    const socket = connect({ host, port: number, timeout: WITHIN_MS });
    const end = (isThere: boolean) => {
      resolve(isThere);
      socket.destroy();
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}
