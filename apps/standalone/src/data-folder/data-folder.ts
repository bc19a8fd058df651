import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { StartFailure } from '../start-failure.js';

const LARGEST_LOG_BYTES = 20 * 1024 * 1024;
const LAST_LINES = 8;

/** The folder with the state of a standalone service. */
export class DataFolder {
  readonly path: string;

  /** @throws StartFailure when it is not a writable folder */
  constructor(path: string) {
    this.path = resolve(path);
    try {
      // When started as root, PostgreSQL runs under another account, which must be able to reach
      // its files.
      mkdirSync(this.path, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
      accessSync(this.path, constants.W_OK);
      mkdirSync(this.logs, { recursive: true, mode: 0o700 });
      mkdirSync(join(this.path, 'temporal'), { recursive: true, mode: 0o700 });
    } catch (error) {
      throw new StartFailure(
        `The data folder ${this.path} cannot be used: ${(error as Error).message}. Choose another one with --data-dir.`,
      );
    }
  }

  get lock(): string {
    return join(this.path, 'supervisor.lock');
  }
  get processes(): string {
    return join(this.path, 'processes.json');
  }
  get secrets(): string {
    return join(this.path, 'secrets.json');
  }
  get description(): string {
    return join(this.path, 'standalone.json');
  }
  /** Variables of a program that uses the service with one of its key pairs. */
  variables(environment: 'sandbox' | 'live'): string {
    return join(this.path, `${environment}.env`);
  }
  get postgres(): string {
    return join(this.path, 'postgres');
  }
  /** The token for callers of the codec server on this machine. */
  get codecToken(): string {
    return join(this.path, 'codec-token');
  }

  get temporalDatabase(): string {
    return join(this.path, 'temporal', 'temporal.db');
  }
  private get logs(): string {
    return join(this.path, 'logs');
  }

  /** Opens the log of a part for appending. A large log is rotated once. */
  openLog(part: string): { file: number; lastWords: () => string } {
    const path = join(this.logs, `${part}.log`);
    if (existsSync(path) && statSync(path).size > LARGEST_LOG_BYTES) renameSync(path, `${path}.1`);
    const file = openSync(path, 'a', 0o600);
    const start = statSync(path).size;
    return {
      file,
      lastWords: () =>
        readFileSync(path)
          .subarray(start)
          .toString('utf8')
          .trim()
          .split('\n')
          .slice(-LAST_LINES)
          .join('\n'),
    };
  }
}
