import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { programEnvironment } from '../../../../platform/src/config/process-environment.js';
import { isFree } from '../../ports.js';
import { StartFailure } from '../../start-failure.js';

/** The address of each vendor, without a slash at the end. */
export interface SimulatorAddresses {
  simplefin: string;
  'enable-banking': string;
  fdx: string;
}

export interface RunningSimulators {
  addresses: SimulatorAddresses;
  stop: () => void;
}

interface Listening {
  kind: string;
  vendor: keyof SimulatorAddresses;
  url: string;
}

const PROGRAM = fileURLToPath(
  new URL('../../../../vendor-simulators/src/main.js', import.meta.url),
);
const HOST = '127.0.0.1';
const SETTING = 'VENDOR_SIMULATORS_PORT';
/** As apps/vendor-simulators/README.md has them. */
const USUAL_PORTS = [4310, 4311, 4312, 4313];
const VENDORS = 3;
const LAST_WORDS = 2_000;

/** @throws StartFailure where they are not installed, as in an image, or may not start */
export function refuseWithoutSimulators(): void {
  if (!existsSync(PROGRAM))
    throw new StartFailure(
      'The vendor simulators are not part of this installation. Run the demo from a clone of the repository.',
    );
  if (process.env['NODE_ENV'] === 'production')
    throw new StartFailure(
      'The vendor simulators do not start in production: unset NODE_ENV for --live-simulators.',
    );
}

/**
 * Starts all vendors in one process, reachable from this machine only, on their usual ports or on
 * free ones. They end with us. @throws StartFailure with what the process wrote
 */
export async function startSimulators(
  onEnd: (message: string) => void,
): Promise<RunningSimulators> {
  const child = spawn(process.execPath, [PROGRAM], {
    env: { ...programEnvironment(process.env), [SETTING]: await choosePort() },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // Ctrl-C in the terminal reaches only us: the service asks the vendors until it has stopped.
    detached: true,
  });
  const addresses = await untilListening(child);
  child.once('exit', () => onEnd('The vendor simulators have ended; start the demo again.'));
  const stop = (): void => {
    child.removeAllListeners('exit');
    child.kill('SIGTERM');
  };
  return { addresses, stop };
}

/** @returns the first port of a row, or 0 for free ones */
async function choosePort(): Promise<string> {
  const given = process.env[SETTING]?.trim();
  if (given !== undefined && given !== '') return given;
  const free = await Promise.all(USUAL_PORTS.map((port) => isFree(HOST, port)));
  return String(free.every(Boolean) ? USUAL_PORTS[0] : 0);
}

function untilListening(child: ChildProcess): Promise<SimulatorAddresses> {
  const addresses: Partial<SimulatorAddresses> = {};
  let words = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-LAST_WORDS);
  });
  return new Promise((resolve, reject) => {
    child.on('message', (message: Listening) => {
      if (message.kind !== 'vendor_simulator.listening') return;
      addresses[message.vendor] = message.url;
      if (Object.keys(addresses).length === VENDORS) resolve(addresses as SimulatorAddresses);
    });
    child.once('error', (error) => reject(new StartFailure(error.message)));
    child.once('close', () =>
      reject(
        new StartFailure(
          `The vendor simulators ended before they were ready; ${SETTING} sets the first of their four ports.\n    ${words.trim()}`,
        ),
      ),
    );
  });
}
