import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  createTestDatabase,
  takeNamespace,
  testTemporalAddress,
  type TestDatabase,
} from './embedded-services.js';
import { eventually } from '../assertions/eventually.js';
import { checkLogLines } from '../assertions/check-log-lines.mjs';

const ENTRY = fileURLToPath(new URL('../../../dist/apps/standalone/src/main.js', import.meta.url));
const START_WITHIN_MS = 240_000;
const STOP_WITHIN_MS = 60_000;

export interface KeyPair {
  client_id: string;
  client_secret: string;
}

export interface StandaloneApp {
  app_id: string;
  name: string;
  sandbox: KeyPair;
  live: KeyPair;
}

export type ProcessName =
  | 'supervisor'
  | 'api'
  | 'worker'
  | 'webhooks'
  | 'sandbox_bank'
  | 'temporal'
  | 'postgres';

/** The data that the service writes into its data folder when it is ready. */
export interface StandaloneInfo {
  base_url: string;
  connect_base_url: string;
  console_url: string | null;
  sandbox_bank_url: string;
  sandbox_bank_control_url: string;
  temporal_address: string;
  temporal_namespace: string;
  database_url: string;
  metrics_url: string;
  worker_metrics_url: string;
  webhooks_metrics_url: string;
  apps: StandaloneApp[];
  /** Null for a process that runs elsewhere. */
  processes: Record<ProcessName, number | null>;
}

export interface StandaloneOptions {
  env?: Record<string, string>;
  /**
   * By default the servers of the test run; there the service has its own database and namespace.
   */
  servers?: 'shared' | 'own';
  /**
   * An existing folder is used and kept. Otherwise a temporary one is created and removed at the
   * end.
   */
  dataDir?: string;
}

/**
 * The whole service, as `npm start -- --auto-ports` runs it, without starting PostgreSQL and
 * Temporal each time.
 */
export class Standalone {
  private child: ChildProcess | undefined;
  private exit: Promise<number | null> = Promise.resolve(null);
  private output = '';
  private readonly killAtExit = (): void => this.killNow();

  private constructor(
    readonly dataDir: string,
    private readonly env: Record<string, string>,
    private readonly temporary: boolean,
    private readonly database: TestDatabase | undefined,
  ) {}

  static async start({
    env = {},
    dataDir,
    servers = 'shared',
  }: StandaloneOptions = {}): Promise<Standalone> {
    const database = servers === 'shared' ? await createTestDatabase() : undefined;
    const places: Record<string, string> =
      database === undefined
        ? {}
        : {
            DATABASE_URL: database.url,
            TEMPORAL_ADDRESS: testTemporalAddress(),
            TEMPORAL_NAMESPACE: await takeNamespace(),
          };
    const standalone = new Standalone(
      dataDir ?? temporaryFolder(),
      { ...places, ...env },
      dataDir === undefined,
      database,
    );
    process.on('exit', standalone.killAtExit);
    try {
      await standalone.start();
      return standalone;
    } catch (error) {
      // The reason why it did not start matters more than the form of its lines.
      await standalone.dispose().catch(() => undefined);
      throw error;
    }
  }

  /** The current standalone.json: process ids change with restarts. */
  get info(): StandaloneInfo {
    return JSON.parse(readFileSync(this.infoFile, 'utf8')) as StandaloneInfo;
  }

  get infoFile(): string {
    return join(this.dataDir, 'standalone.json');
  }

  get app(): StandaloneApp {
    const [app] = this.info.apps;
    if (app === undefined) throw new Error('standalone.json contains no app');
    return app;
  }

  /** Starts it (again) on its data folder and waits until it is ready. */
  async start(): Promise<void> {
    const child = spawn(
      process.execPath,
      ['--enable-source-maps', ENTRY, '--data-dir', this.dataDir, '--auto-ports'],
      {
        env: { ...inheritedEnv(), LOG_FORMAT: 'json', ...this.env },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    this.child = child;
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.output += text;
      });
    this.exit = new Promise((resolve) => child.once('close', resolve));
    const ended = this.exit.then((code) => {
      throw new Error(`standalone ended with ${code} before it was ready:\n${this.lastWords()}`);
    });
    const ready = eventually(
      () => {
        // A crash leaves the file of the previous run.
        if (this.info.processes.supervisor !== child.pid)
          throw new Error(`standalone is not ready yet:\n${this.lastWords()}`);
      },
      { within: START_WITHIN_MS },
    );
    ended.catch(() => undefined);
    await Promise.race([ready, ended]);
  }

  /** Everything that the processes and the embedded servers wrote. */
  logs(): string {
    const files = readdirSync(this.dataDir, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.log'),
    );
    return [
      this.output,
      ...files.map((file) => readFileSync(join(this.dataDir, file), 'utf8')),
    ].join('\n');
  }

  /** Requests an orderly shutdown, like Ctrl-C. @returns the exit code, null if it was killed */
  async stop(): Promise<number | null> {
    this.child?.kill('SIGTERM');
    const force = setTimeout(() => this.killNow(), STOP_WITHIN_MS);
    const code = await this.exit;
    clearTimeout(force);
    return code;
  }

  /**
   * Stops everything that still runs, removes the folder that it created, and checks every line
   * that was written.
   */
  async dispose(): Promise<void> {
    await this.stop();
    process.off('exit', this.killAtExit);
    await this.database?.drop();
    if (this.temporary)
      rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    if ((this.env['LOG_FORMAT'] ?? 'json') === 'json') checkLogLines(this.output, 'standalone');
  }

  /** Kills one process (SIGKILL). Returns its process id. */
  kill(name: ProcessName): number {
    const pid = this.info.processes[name];
    if (pid === null) throw new Error(`standalone runs no ${name}`);
    process.kill(pid, 'SIGKILL');
    return pid;
  }

  /** Kills all processes at once (SIGKILL), the supervisor first so that nothing is restarted. */
  async killAll(): Promise<void> {
    const { supervisor, ...others } = this.info.processes;
    const pids = [supervisor, ...Object.values(others)].filter((pid) => pid !== null);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await this.exit;
    await eventually(() => {
      const alive = pids.filter(isAlive);
      if (alive.length > 0) throw new Error(`still alive: ${alive.join(', ')}`);
    });
  }

  /** Waits until the supervisor has replaced a killed process and the service is ready again. */
  async untilRestarted(name: ProcessName, killedPid: number): Promise<void> {
    await eventually(() => {
      if ((this.info.processes[name] ?? killedPid) === killedPid)
        throw new Error(`${name} was not started again:\n${this.lastWords()}`);
    });
    await this.untilReady();
  }

  /** Waits until every part reports that it is ready. */
  async untilReady(): Promise<void> {
    const { base_url, sandbox_bank_url } = this.info;
    await eventually(async () => {
      for (const url of [base_url, sandbox_bank_url]) {
        const { status } = await fetch(`${url}/health/ready`, {
          signal: AbortSignal.timeout(5_000),
        });
        if (status !== 200) throw new Error(`${url} is not ready: ${status}\n${this.lastWords()}`);
      }
    });
  }

  private lastWords(): string {
    return this.output.split('\n').slice(-30).join('\n');
  }

  private killNow(): void {
    const pids = existsSync(this.infoFile)
      ? Object.values(this.info.processes).filter((pid) => pid !== null)
      : [];
    // The supervisor first, because it would restart the others. Those not yet in standalone.json
    // exit with it.
    if (this.child?.exitCode === null) this.child.kill('SIGKILL');
    if (this.child !== undefined && pids.includes(this.child.pid ?? 0))
      pids.filter(isAlive).forEach((pid) => {
        process.kill(pid, 'SIGKILL');
      });
  }
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-e2e-'));
  // PostgreSQL may run under another account.
  chmodSync(folder, 0o711);
  return folder;
}

/**
 * Only the variables of a shell, nothing of the test run. The Temporal program was found once for
 * all.
 */
function inheritedEnv(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, TEST_DATABASE_URL: _database, ...env } = process.env;
  return env;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
