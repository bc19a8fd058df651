import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * A connection to a server that can be cut and restored, as if the server were killed and
 * restarted.
 */
export interface TcpGate {
  port: number;
  /**
   * `cut`: every connection breaks and new ones are reset. `hang`: nothing gets through, nothing
   * is closed. `mute`: requests get through, responses do not.
   */
  set(state: 'open' | 'cut' | 'hang' | 'mute'): void;
  close(): Promise<void>;
}

export async function openTcpGate(target: { host: string; port: number }): Promise<TcpGate> {
  const pairs = new Set<{ near: Socket; far: Socket }>();
  let state: 'open' | 'cut' | 'hang' | 'mute' = 'open';

  const server = createServer((near) => {
    near.on('error', () => near.destroy());
    if (state === 'cut') return void near.resetAndDestroy();
    const far = connect(target);
    far.on('error', () => near.destroy());
    const pair = { near, far };
    pairs.add(pair);
    near.on('close', () => (far.destroy(), pairs.delete(pair)));
    far.on('close', () => near.destroy());
    near.pipe(far).pipe(near);
    if (state === 'hang') pause(pair);
    if (state === 'mute') mute(pair);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const pause = ({ near, far }: { near: Socket; far: Socket }): void => {
    near.unpipe(far);
    far.unpipe(near);
  };
  const mute = ({ near, far }: { near: Socket; far: Socket }): void => {
    far.unpipe(near);
  };
  const cut = (): void => {
    for (const { near } of pairs) near.resetAndDestroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    set(next) {
      state = next;
      if (next === 'cut') cut();
      if (next === 'hang') pairs.forEach(pause);
      if (next === 'mute') pairs.forEach(mute);
    },
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
