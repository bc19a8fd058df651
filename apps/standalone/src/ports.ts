import { createServer } from 'node:net';
import { StartFailure } from './start-failure.js';

/** Below the ephemeral range of the system, so that a part can be restarted on its port. */
const FREE_PORTS = { from: 18_000, to: 31_999 };

export interface PortRequest {
  /** The setting that names it. */
  name: string;
  host: string;
  port: number;
  /** The user chose this port, so no other is used. */
  fixed: boolean;
}

export type PortPolicy =
  /** The requested port, or a failure that names all busy ones. */
  | 'exact'
  /** The requested port, or another one when it is busy. */
  | 'prefer'
  /** Any free port. */
  | 'any';

/** Chooses the ports of all parts before any of them starts. @throws StartFailure */
export async function choosePorts<Name extends string>(
  requests: readonly (PortRequest & { name: Name })[],
  policy: PortPolicy,
): Promise<Record<Name, number>> {
  const chosen = new Map<string, number>();
  const busy: string[] = [];
  for (const { name, host, port, fixed } of requests) {
    const taken = [...chosen.values()];
    if (policy === 'any' && !fixed) {
      chosen.set(name, await freePort(host, taken));
    } else if (!taken.includes(port) && (await isFree(host, port))) {
      chosen.set(name, port);
    } else if (policy !== 'exact' && !fixed) {
      chosen.set(name, await freePort(host, taken));
    } else {
      busy.push(`port ${port} (${name})`);
    }
  }
  if (busy.length > 0) {
    throw new StartFailure(
      `${capitalize(busy.join(', '))} ${busy.length === 1 ? 'is' : 'are'} in use. ` +
        'Stop the program that uses it, set another port, or start with --auto-ports.',
    );
  }
  return Object.fromEntries(chosen) as Record<Name, number>;
}

export async function freePort(host: string, taken: readonly number[] = []): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port =
      FREE_PORTS.from + Math.floor(Math.random() * (FREE_PORTS.to - FREE_PORTS.from + 1));
    if (!taken.includes(port) && (await isFree(host, port))) return port;
  }
  throw new StartFailure('No free port was found.');
}

export const isFree = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)));
  });

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
