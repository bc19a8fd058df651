import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';

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
  /** The number of HTTP requests to a path with this ending that arrived here. */
  requests(ending: string): number;
  close(): Promise<void>;
}

const REQUEST_LINE = /^[A-Z]+ (\S+) HTTP\/1\.1\r\n/;

export async function openTcpGate(target: { host: string; port: number }): Promise<TcpGate> {
  const pairs = new Set<{ near: Socket; far: Socket }>();
  let state: 'open' | 'cut' | 'hang' | 'mute' = 'open';
  const paths: string[] = [];

  const server = createServer((near) => {
    near.on('error', () => near.destroy());
    if (state === 'cut') return void near.resetAndDestroy();
    const far = connect(target);
    far.on('error', () => near.destroy());
    const pair = { near, far };
    pairs.add(pair);
    near.on('close', () => (far.destroy(), pairs.delete(pair)));
    far.on('close', () => near.destroy());
    const watched = new PassThrough();
    watched.on('data', (chunk: Buffer) => {
      const path = REQUEST_LINE.exec(chunk.toString('latin1'))?.[1];
      if (path !== undefined) paths.push(path);
    });
    near.pipe(watched).pipe(far).pipe(near);
    if (state === 'hang') pause(pair);
    if (state === 'mute') mute(pair);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const pause = ({ near, far }: { near: Socket; far: Socket }): void => {
    near.unpipe();
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
    requests: (ending) => paths.filter((path) => path.endsWith(ending)).length,
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
