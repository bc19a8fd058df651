import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';

/** The program that drives the client of one language, as `holdsTheBehaviors` describes. */
export interface DriverProgram {
  command: string;
  args: readonly string[];
  /** The variables that the language needs beside `PATH`. */
  env?: Readonly<Record<string, string>>;
}

/** An error, as every client reports it. */
export interface ClientError {
  family: string;
  code?: string;
  status?: number;
  request_id?: string;
  documentation_url?: string;
  retry_after?: number;
  issues?: { location: (string | number)[]; message: string; type: string }[];
  link_error_code?: string;
  required_scope?: string;
  message?: string;
  /** The text that printing the error shows. */
  text: string;
}

export interface DriverResponse {
  ok?: unknown;
  error?: ClientError;
}

type Waiting = (response: DriverResponse) => void;

/** A running driver. Its calls run concurrently. */
export class ClientDriver {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly waiting = new Map<number, Waiting>();
  private readonly ended: Promise<void>;
  private complaints = '';
  private count = 0;

  constructor({ command, args, env = {} }: DriverProgram, variables: Record<string, string> = {}) {
    this.child = spawn(command, args, {
      env: { PATH: process.env['PATH'], ...env, ...variables },
      stdio: 'pipe',
    });
    createInterface({ input: this.child.stdout }).on('line', (line) => this.settle(line));
    this.child.stderr.on('data', (chunk: Buffer) => {
      this.complaints += chunk.toString('utf8');
    });
    this.child.stdin.on('error', () => undefined);
    this.ended = new Promise((resolve) => {
      this.child.once('close', () => {
        for (const settle of this.waiting.values())
          settle({ error: { family: 'Killed', text: this.complaints } });
        resolve();
      });
    });
  }

  /** @returns the result, or the error of the client */
  call(call: string, args: object = {}, client = 'default'): Promise<DriverResponse> {
    const id = (this.count += 1);
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.child.stdin.write(`${JSON.stringify({ id, call, client, args })}\n`);
    });
  }

  /** The result of a call that must succeed. */
  async result<T>(call: string, args: object = {}, client = 'default'): Promise<T> {
    const { ok, error } = await this.call(call, args, client);
    if (error !== undefined)
      throw new Error(
        `${call} failed: ${error.family} ${error.code} ${error.message}\n${error.text}`,
      );
    return ok as T;
  }

  /** The error of a call that must fail. */
  async refusal(call: string, args: object = {}, client = 'default'): Promise<ClientError> {
    const { ok, error } = await this.call(call, args, client);
    if (error === undefined) throw new Error(`${call} succeeded: ${JSON.stringify(ok)}`);
    return error;
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  /** Lets it end by itself. @returns what it wrote to standard error: nothing, since a client logs nothing */
  async end(): Promise<string> {
    this.child.stdin.end();
    await this.ended;
    return this.complaints;
  }

  private settle(line: string): void {
    const { id, ...response } = JSON.parse(line) as DriverResponse & { id: number };
    this.waiting.get(id)?.(response);
    this.waiting.delete(id);
  }
}
