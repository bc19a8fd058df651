import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Running } from './servers.js';

interface Line {
  roundTripMs: number;
  bytesPerSecond: number;
}

/** The same server at the end of a slow line: each connection costs a round trip more, as TCP does. */
export async function startSlowNetwork(
  server: Running,
  { roundTripMs, bytesPerSecond }: Line,
): Promise<Running> {
  const sockets = new Set<Socket>();
  let lineIsFreeAt = 0;
  const slow = createServer((near) => {
    const far = connect(Number(new URL(server.origin).port), '127.0.0.1');
    const opensAt = Date.now() + roundTripMs;
    carry(near, far, () => Math.max(Date.now(), opensAt) + roundTripMs / 2);
    carry(far, near, (bytes) => {
      lineIsFreeAt = Math.max(Date.now(), lineIsFreeAt) + (bytes / bytesPerSecond) * 1_000;
      return lineIsFreeAt + roundTripMs / 2;
    });
    for (const socket of [near, far]) sockets.add(socket);
  });
  slow.listen(0, '127.0.0.1');
  await once(slow, 'listening');
  return {
    origin: `http://127.0.0.1:${(slow.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        slow.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Bytes arrive in order, each at its time. */
function carry(from: Socket, to: Socket, arrivalOf: (bytes: number) => number): void {
  let last: Promise<unknown> = Promise.resolve();
  const later = (bytes: number, arrive: () => void): void => {
    const at = arrivalOf(bytes);
    last = last
      .then(() => pause(Math.max(0, at - Date.now())))
      .then(() => {
        if (!to.destroyed) arrive();
      });
  };
  from.on('data', (chunk) => later(chunk.length, () => to.write(chunk)));
  from.on('end', () => later(0, () => to.end()));
  from.on('error', () => to.destroy());
}
