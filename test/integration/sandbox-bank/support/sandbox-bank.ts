import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { readSettings } from '../../../../apps/platform/src/config/settings.js';
import { createProcessLogger } from '../../../../apps/platform/src/process/process-logger.js';
import { startSandboxBank as startBank } from '../../../../simulators/sandbox-bank/sandbox-bank.js';
import { freePort } from '../../../../apps/standalone/src/ports.js';
import { checkLogLines } from '../../../support/assertions/check-log-lines.mjs';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const START_WITHIN_MS = 120_000;
export const SECRET_OF_TESTS = 'the-secret-of-bank-and-worker-in-tests';

export interface SandboxBankOptions {
  databaseUrl: string;
  /** Stops the clock of the default world. */
  now?: Date;
  /** Factor for the delays of the bank; 0 by default. */
  delayFactor?: number;
  /** The address for browsers; by default the one it listens on. */
  publicUrl?: string;
  /** Free ports by default; a restarted bank can keep its addresses. */
  ports?: BankPorts;
  /** More settings. */
  env?: Record<string, string>;
}

export interface BankPorts {
  port: number;
  controlPort: number;
}

export interface TestSandboxBank {
  /** For browsers and OAuth clients. */
  url: string;
  /** For clients that know the secret. */
  controlUrl: string;
  secret: string;
  ports: BankPorts;
  /** All lines that it wrote. */
  output(): string;
  stop(): Promise<void>;
}

export interface SandboxBankProcess extends TestSandboxBank {
  pid: number;
  kill(): Promise<void>;
}

/** The settings with which a provider reaches it. */
export const connectionTo = ({ controlUrl, url, secret }: TestSandboxBank) => ({
  baseUrl: controlUrl,
  publicUrl: url,
  secret,
});

const settingsOf = (
  { databaseUrl, now, delayFactor = 0, publicUrl = '', env = {} }: SandboxBankOptions,
  ports: BankPorts,
): Record<string, string> => ({
  SANDBOX_BANK_DATABASE_URL: databaseUrl,
  SANDBOX_BANK_SECRET: SECRET_OF_TESTS,
  SANDBOX_BANK_HOST: '127.0.0.1',
  SANDBOX_BANK_PORT: String(ports.port),
  SANDBOX_BANK_CONTROL_PORT: String(ports.controlPort),
  RATE_LIMIT_SANDBOX_BANK: 'off',
  SANDBOX_BANK_PUBLIC_URL: publicUrl,
  SANDBOX_BANK_DELAY_FACTOR: String(delayFactor),
  SANDBOX_BANK_NOW: now?.toISOString() ?? '',
  LOG_LEVEL: 'debug',
  LOG_FORMAT: 'json',
  ...env,
});

/** Starts the sandbox bank in this process, which takes a fraction of the time of its own one. */
export async function openSandboxBank(options: SandboxBankOptions): Promise<TestSandboxBank> {
  const ports = options.ports ?? (await freePorts());
  const settings = readSettings(settingsOf(options, ports), 'sandbox-bank');
  let output = '';
  const close = await startBank(
    settings,
    createProcessLogger({
      name: 'sandbox_bank',
      level: settings.logLevel,
      format: settings.logFormat,
      destination: {
        write: (line: string) => {
          output += line;
        },
      },
    }),
  );
  const [url, controlUrl] = [ports.port, ports.controlPort].map(
    (port) => `http://127.0.0.1:${port}`,
  ) as [string, string];
  await untilReady(
    url,
    () => true,
    () => output,
  );
  return {
    url,
    controlUrl,
    secret: SECRET_OF_TESTS,
    ports,
    output: () => output,
    stop: async () => {
      await close();
      checkLogLines(output, 'the sandbox bank');
    },
  };
}

/** Starts the sandbox bank in its own process and waits until it is ready. */
export async function startSandboxBank(options: SandboxBankOptions): Promise<SandboxBankProcess> {
  const ports = options.ports ?? (await freePorts());
  const child = fork('dist/simulators/sandbox-bank/main.js', {
    cwd: ROOT,
    execArgv: ['--enable-source-maps'],
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      ...settingsOf(options, ports),
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const killAtExit = (): void => void child.kill('SIGKILL');
  process.on('exit', killAtExit);
  const output = collectOutput(child);
  const exited = once(child, 'close').then(() => void process.off('exit', killAtExit));

  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    child.kill(signal);
    await exited;
    checkLogLines(output(), 'the sandbox bank');
  };
  try {
    const { url, controlUrl } = await listeningUrls(child, output);
    await untilReady(url, () => child.exitCode === null, output);
    return {
      url,
      controlUrl,
      secret: SECRET_OF_TESTS,
      ports,
      pid: child.pid ?? 0,
      output,
      stop: () => end('SIGTERM'),
      kill: () => end('SIGKILL'),
    };
  } catch (error) {
    await end('SIGKILL');
    throw error;
  }
}

async function freePorts(): Promise<BankPorts> {
  const port = await freePort('127.0.0.1');
  return { port, controlPort: await freePort('127.0.0.1', [port]) };
}

function collectOutput(child: ChildProcess): () => string {
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => void chunks.push(text));
  }
  return () => chunks.join('');
}

function listeningUrls(
  child: ChildProcess,
  output: () => string,
): Promise<{ url: string; controlUrl: string }> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () =>
      reject(new Error(`The sandbox bank ended before it listened:\n${output()}`)),
    );
    child.on('message', (message) => {
      const { kind, url, control_url: controlUrl } = message as Record<string, unknown>;
      if (kind === 'sandbox_bank.listening' && typeof url === 'string')
        resolve({ url, controlUrl: String(controlUrl) });
    });
  });
}

async function untilReady(
  url: string,
  isRunning: () => boolean,
  output: () => string,
): Promise<void> {
  const deadline = Date.now() + START_WITHIN_MS;
  while (isRunning() && Date.now() < deadline) {
    const ready = await fetch(`${url}/health/ready`).catch(() => null);
    if (ready?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`The sandbox bank did not become ready:\n${output()}`);
}
