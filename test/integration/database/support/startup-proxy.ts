import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** The reactions of poolers to startup parameters that they do not know. */
export type PoolerManner = 'refuses' | 'ignores';

export interface StartupProxy {
  port: number;
  close(): Promise<void>;
}

/**
 * The parameters that poolers forward. They refuse or ignore the others, as PgBouncer does with
 * `ignore_startup_parameters`.
 */
const HANDED_ON = ['user', 'database', 'client_encoding', 'application_name'];
const HEADER_BYTES = 8;

/** Acts as a pooler between a driver and PostgreSQL for the first message of each connection. */
export async function startStartupProxy(
  target: { host: string; port: number },
  manner: PoolerManner,
): Promise<StartupProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    sockets.add(near.on('error', () => near.destroy()));
    near.once('data', (message) => {
      const parameters = readParameters(message);
      const unknown = [...parameters.keys()].find((name) => !HANDED_ON.includes(name));
      if (manner === 'refuses' && unknown !== undefined)
        return near.end(errorResponse(`unsupported startup parameter: ${unknown}`));
      const far = connect(target);
      sockets.add(far.on('error', () => near.destroy()));
      near.on('close', () => far.destroy());
      far.on('close', () => near.destroy());
      far.write(
        startup(
          message,
          [...parameters].filter(([name]) => HANDED_ON.includes(name)),
        ),
      );
      near.pipe(far).pipe(near);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function readParameters(message: Buffer): Map<string, string> {
  const parts = message.subarray(HEADER_BYTES).toString('utf8').split('\0');
  const parameters = new Map<string, string>();
  for (let at = 0; parts[at] !== undefined && parts[at] !== ''; at += 2)
    parameters.set(parts[at] as string, parts[at + 1] ?? '');
  return parameters;
}

function startup(original: Buffer, parameters: readonly [string, string][]): Buffer {
  const body = Buffer.from(`${parameters.flat().join('\0')}\0\0`);
  const header = Buffer.from(original.subarray(0, HEADER_BYTES));
  header.writeInt32BE(HEADER_BYTES + body.length);
  return Buffer.concat([header, body]);
}

function errorResponse(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C08P01\0M${message}\0\0`);
  const header = Buffer.alloc(5);
  header.write('E');
  header.writeInt32BE(4 + fields.length, 1);
  return Buffer.concat([header, fields]);
}
