import type { ChildProcess } from 'node:child_process';
import { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTE_TYPES } from '../../../../workflows/search-attribute-types.contract.js';
import { typeNameOf } from '../../../platform/src/temporal/namespace-state.js';
import { setUpNamespace, SetUpRefused } from '../../../platform/src/temporal/set-up-namespace.js';
import { StartFailure } from '../start-failure.js';
import { launch } from '../supervision/launch.js';
import { DYNAMIC_CONFIG } from './server-settings.js';

export interface TemporalServerOptions {
  program: string;
  port: number;
  /** Undefined: no web UI. */
  uiPort: number | undefined;
  /** The codec server of the web UI; undefined: it shows payloads as they are stored. */
  codecEndpoint?: string;
  namespace: string;
  /** Further ones, created at the start. */
  furtherNamespaces?: readonly string[];
  /** A database in memory is lost with its connection, which happens under load (temporalio/temporal#3784). */
  databaseFile: string;
  log: number | 'ignore';
}

/** For a namespace that the server did not create, which does not occur. */
const RETENTION_MS = 86_400_000;

/** Temporal's development server as a part of the service. */
export class TemporalServer {
  constructor(private readonly options: TemporalServerOptions) {}

  get address(): string {
    return `127.0.0.1:${this.options.port}`;
  }

  private get namespaces(): readonly string[] {
    return [this.options.namespace, ...(this.options.furtherNamespaces ?? [])];
  }

  start(): ChildProcess {
    const { program, port, uiPort, codecEndpoint, databaseFile, log } = this.options;
    return launch(program, {
      args: [
        'server',
        'start-dev',
        '--ip',
        '127.0.0.1',
        '--port',
        String(port),
        ...this.namespaces.flatMap((name) => ['--namespace', name]),
        '--log-level',
        'warn',
        ...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort)]),
        ...(codecEndpoint === undefined ? [] : ['--ui-codec-endpoint', codecEndpoint]),
        '--db-filename',
        databaseFile,
        '--sqlite-pragma',
        'journal_mode=WAL',
        '--sqlite-pragma',
        'synchronous=NORMAL',
        ...Object.entries(SEARCH_ATTRIBUTE_TYPES).flatMap(([name, type]) => [
          '--search-attribute',
          `${name}=${typeNameOf(type)}`,
        ]),
        ...Object.entries(DYNAMIC_CONFIG).flatMap(([key, value]) => [
          '--dynamic-config-value',
          `${key}=${value}`,
        ]),
      ],
      deathSignal: 'SIGTERM',
      stdio: ['ignore', log, log],
    });
  }

  async isReady(): Promise<boolean> {
    try {
      await this.connected(({ workflowService }) =>
        Promise.all(
          this.namespaces.map((namespace) => workflowService.describeNamespace({ namespace })),
        ),
      );
      return true;
    } catch {
      return false;
    }
  }

  /**
   * The flags only apply when the namespace is created. A newer release adds further attributes
   * to the existing namespace, as its migrations do to the tables.
   */
  async ensureSearchAttributes(): Promise<void> {
    await this.connected((connection) =>
      setUpNamespace(connection, {
        namespace: this.options.namespace,
        attributes: SEARCH_ATTRIBUTE_TYPES,
        retentionMs: RETENTION_MS,
      }),
    ).catch((error: unknown) => {
      throw error instanceof SetUpRefused ? new StartFailure(error.message) : error;
    });
  }

  private async connected(work: (connection: Connection) => Promise<unknown>): Promise<void> {
    const connection = await Connection.connect({ address: this.address, connectTimeout: '2s' });
    try {
      await connection.withDeadline(Date.now() + 5_000, () => work(connection));
    } finally {
      await connection.close();
    }
  }
}
