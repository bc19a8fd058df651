import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../../apps/standalone/src/ports.js';
import { eventually } from '../../../support/assertions/eventually.js';

const INSTALL_WITHIN_MS = 240_000;
export const PASSWORD = 'budget-for-a-month';

interface ActualAccount {
  id: string;
  balance: string;
  currency: string;
}
interface ActualRow {
  transactionId: string;
  date: string;
  booked: boolean;
  transactionAmount: { amount: string };
}
interface ActualRows {
  /** In hundredths, whatever the currency. */
  startingBalance: number;
  transactions: { all: ActualRow[] };
}
interface ActualError {
  error_type: string;
  error_code: string;
}
/** By account id. */
type AllRows = Record<string, ActualRows>;

/** The server of Actual Budget, as npm publishes it, which reads SimpleFIN for its app. */
export class ActualServer {
  private token = '';

  private constructor(
    private readonly folder: string,
    readonly baseUrl: string,
    private readonly child: ChildProcess,
  ) {}

  /** @param env further variables of its process */
  static async start(env: Record<string, string> = {}): Promise<ActualServer> {
    const folder = mkdtempSync(join(tmpdir(), 'tributary-actual-'));
    cpSync(fileURLToPath(new URL('./', import.meta.url)), folder, { recursive: true });
    const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund'];
    const { status, stderr } = spawnSync('npm', install, {
      cwd: folder,
      encoding: 'utf8',
      timeout: INSTALL_WITHIN_MS,
    });
    if (status !== 0) throw new Error(`Actual's server could not be installed: ${stderr}`);
    mkdirSync(join(folder, 'data'));
    const port = await freePort('127.0.0.1');
    const entry = join(folder, 'node_modules/@actual-app/sync-server/build/bin/actual-server.js');
    const child = spawn(process.execPath, [entry], {
      cwd: folder,
      stdio: 'ignore',
      env: {
        PATH: process.env['PATH'],
        TZ: 'UTC',
        ACTUAL_DATA_DIR: join(folder, 'data'),
        ACTUAL_HOSTNAME: '127.0.0.1',
        ACTUAL_PORT: String(port),
        ...env,
      },
    });
    const server = new ActualServer(folder, `http://127.0.0.1:${port}`, child);
    await eventually(() => fetch(`${server.baseUrl}/mode`));
    await server.ask('/account/bootstrap', { password: PASSWORD });
    ({ token: server.token } = await server.ask<{ token: string }>('/account/login', {
      password: PASSWORD,
    }));
    return server;
  }

  /** As its settings page does with the token that the user pastes. */
  async pasteSetupToken(setupToken: string): Promise<void> {
    await this.ask('/secret', { name: 'simplefin_token', value: setupToken });
  }

  /** As *Reset SimpleFIN credentials* does. */
  async forgetAccess(): Promise<void> {
    await this.ask('/secret', { name: 'simplefin_accessKey', value: null });
  }

  /** Claims the token at the first call. */
  accounts(): Promise<{ accounts: ActualAccount[] } | ActualError> {
    return this.ask('/simplefin/accounts', {});
  }

  rows(accountIds: readonly string[], startDate: string): Promise<AllRows> {
    return this.ask('/simplefin/transactions', {
      accountId: accountIds,
      startDate: accountIds.map(() => startDate),
    });
  }

  /** The accounts whose rows it refuses, each with the code of the reason. */
  async refused(
    accountIds: readonly string[],
    startDate: string,
  ): Promise<Record<string, string | undefined>> {
    const { errors } = await this.ask<{ errors?: Record<string, ActualError[]> }>(
      '/simplefin/transactions',
      { accountId: accountIds, startDate: accountIds.map(() => startDate) },
    );
    return Object.fromEntries(
      Object.entries(errors ?? {}).map(([id, [first]]) => [id, first?.error_code]),
    );
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill();
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async ask<T>(path: string, body: object): Promise<T> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-actual-token': this.token },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${text}`);
    return (JSON.parse(text) as { data: T }).data;
  }
}
