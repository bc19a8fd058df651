import type { IncomingMessage } from 'node:http';
import { BankError } from './bank-error.js';
import { readJsonBody } from './read-json-body.js';

const MOST_BODY_BYTES = 16 * 1024;

/** A request as a route sees it. Every reader throws `invalid_request` for an invalid value. */
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

  header(name: string): string | null {
    const value = this.incoming.headers[name];
    return typeof value === 'string' ? value : null;
  }

  bearerToken(): string {
    const token = /^Bearer ([\w-]{1,200})$/.exec(this.header('authorization') ?? '')?.[1];
    if (token === undefined) throw new BankError('invalid_token', 'An access token is needed.');
    return token;
  }

  /** Stable for one attempt: the same key again is the same request. */
  idempotencyKey(): string {
    const key = this.header('idempotency-key') ?? '';
    if (!/^[\x21-\x7e]{1,200}$/.test(key)) {
      throw new BankError(
        'invalid_request',
        'The header Idempotency-Key must have 1..200 printable characters.',
      );
    }
    return key;
  }

  async jsonObject(maxBytes: number = MOST_BODY_BYTES): Promise<Readonly<Record<string, unknown>>> {
    const body = await readJsonBody(this.incoming, maxBytes);
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new BankError('invalid_request', 'The body must be a JSON object.');
    }
    return body as Record<string, unknown>;
  }
}
