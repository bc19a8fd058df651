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
  urls: SimulatorAddresses;
}

const PROGRAM = fileURLToPath(
  new URL('../../../../../simulators/vendors/main.js', import.meta.url),
);
const HOST = '127.0.0.1';
const SETTING = 'VENDOR_SIMULATORS_PORT';
/** As in simulators/vendors/README.md. */
const USUAL_PORT = 4310;
const PORTS = 4;
const LARGEST_FIRST_PORT = 65_536 - PORTS;
const LAST_WORDS = 2_000;

/**
 * Checks first that the simulators can start. @returns the first of their consecutive
 * ports: the configured one, the usual one, or 0 for free ones
 * @throws StartFailure where they are not installed, as in an image, may not start, or a configured
 *   port is in use
 */
export async function prepareSimulators(): Promise<number> {
  if (!existsSync(PROGRAM))
    throw new StartFailure(
      'The vendor simulators are not part of this installation. Run the demo from a clone of the repository.',
    );
  if (process.env['NODE_ENV'] === 'production')
    throw new StartFailure(
      'The vendor simulators do not start in production: unset NODE_ENV for --live-simulators.',
    );
  const given = process.env[SETTING]?.trim() ?? '';
  const first = given === '' ? USUAL_PORT : Number(given);
  if (!(first >= 0 && first <= LARGEST_FIRST_PORT))
    throw new StartFailure(`${SETTING} must be a port, the first of ${PORTS}, or 0 for free ones.`);
  if (first === 0) return 0;
  for (let port = first; port < first + PORTS; port += 1) {
    if (await isFree(HOST, port)) continue;
    if (given === '') return 0;
    throw new StartFailure(
      `Port ${port} (one of ${PORTS} from ${SETTING}) is in use. Stop the program that uses it, or set another port.`,
    );
  }
  return first;
}

/**
 * Starts all vendors in one process, reachable from this machine only; it ends with us. @param port of
 * `prepareSimulators`. @throws StartFailure with the output of the process
 */
export async function startSimulators(
  port: number,
  onEnd: (message: string) => void,
): Promise<RunningSimulators> {
  const child = spawn(process.execPath, [PROGRAM], {
    env: { ...programEnvironment(process.env), [SETTING]: String(port) },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // Ctrl-C in the terminal reaches only us: the service calls the vendors until it has stopped.
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

function untilListening(child: ChildProcess): Promise<SimulatorAddresses> {
  let words = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-LAST_WORDS);
  });
  return new Promise((resolve, reject) => {
    child.on('message', (message: Listening) => {
      if (message.kind === 'vendor_simulators.listening') resolve(message.urls);
    });
    child.once('error', (error) => reject(new StartFailure(error.message)));
    child.once('close', () =>
      reject(
        new StartFailure(
          `The vendor simulators ended before they were ready.\n    ${words.trim()}`,
        ),
      ),
    );
  });
}
