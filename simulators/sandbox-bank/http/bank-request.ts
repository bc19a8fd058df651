import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { BankError } from './bank-error.js';
import { readJsonBody } from './read-json-body.js';

const MAX_BODY_BYTES = 16 * 1024;
const KEY = /^[\x21-\x7e]{1,200}$/;
const WORLD_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

/** A request, for routes. Every reader throws `invalid_request` for an invalid value. */
export class BankRequest {
  constructor(
    private readonly incoming: IncomingMessage,
    private readonly params: Readonly<Record<string, string>>,
    private readonly query: URLSearchParams,
  ) {}

  param(name: string): string {
    return this.params[name] ?? '';
  }

  queryValue(name: string): string | null {
    const [value, ...more] = this.query.getAll(name);
    if (more.length > 0)
      throw new BankError('invalid_request', `${name} was given more than once.`);
    return value ?? null;
  }

  bearerToken(): string {
    const token = /^Bearer ([\w-]{1,200})$/.exec(this.header('authorization') ?? '')?.[1];
    if (token === undefined) throw new BankError('invalid_token', 'An access token is needed.');
    return token;
  }

  /** Stable for one attempt: the same key again is the same request. */
  idempotencyKey(): string {
    return this.keyIn('Idempotency-Key', this.header('idempotency-key') ?? '');
  }

  /** The key under which several calls, and their retries, are one fetch. */
  fetchKey(): string | null {
    const key = this.header('fetch-key');
    return key === null ? null : this.keyIn('Fetch-Key', key);
  }

  /**
   * The time in the world of the caller, which keeps its clock; null = the caller uses real time.
   * Data and the lifetime of permissions follow it.
   */
  worldTime(): Date | null {
    const text = this.header('world-time');
    if (text === null) return null;
    const moment = new Date(text);
    if (!WORLD_TIME.test(text) || Number.isNaN(moment.getTime()))
      throw new BankError(
        'invalid_request',
        'The header World-Time must be an ISO 8601 moment in UTC.',
      );
    return moment;
  }

  /** The JSON body. An error names the place of a mistake and never quotes the value. */
  async body<Form extends z.ZodType>(
    form: Form,
    maxBytes: number = MAX_BODY_BYTES,
  ): Promise<z.output<Form>> {
    const result = form.safeParse(await readJsonBody(this.incoming, maxBytes));
    if (result.success) return result.data;
    const place = result.error.issues[0]?.path.join('.') || 'the body';
    throw new BankError('invalid_request', `The request is not of the agreed form at ${place}.`);
  }

  private header(name: string): string | null {
    const value = this.incoming.headers[name];
    return typeof value === 'string' ? value : null;
  }

  private keyIn(header: string, key: string): string {
    if (KEY.test(key)) return key;
    throw new BankError(
      'invalid_request',
      `The header ${header} must have 1..200 printable characters.`,
    );
  }
}
