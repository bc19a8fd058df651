import { ConfigurationError } from '../errors.js';

/** Options of one call. */
export interface CallOptions {
  /** Ends the call, its waits and its retries; its reason is thrown. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for each attempt, from sending to the last byte. */
  timeout?: number | undefined;
  /** Further attempts after the first. */
  maxRetries?: number | undefined;
}

/** Options of a call that creates something. */
export interface KeyedCallOptions extends CallOptions {
  /**
   * Of at most 255 visible ASCII characters: the service runs calls with the same key and body once
   * within 24 hours. By default a random one for this call and its retries.
   */
  idempotencyKey?: string | undefined;
}

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Of values that are checked when the request is sent, so that a mistake rejects its promise. */
  path: string | (() => string);
  query?: object | undefined;
  /** Sent as JSON, except `URLSearchParams`. */
  body?: object | undefined;
  /** True if the call takes an `Idempotency-Key`. */
  isKeyed?: boolean;
  /** True if it is sent without an access token. */
  isPublic?: boolean;
}

/** A path with encoded values: path`/links/${id}`. */
export function path(parts: TemplateStringsArray, ...values: string[]): () => string {
  return () =>
    parts.reduce((before, part, index) => `${before}${segment(values[index - 1])}${part}`);
}

/** Without these checks, another path is called: addresses resolve dots and lose empty parts. */
function segment(value: string | undefined): string {
  if (typeof value === 'string' && !['', '.', '..'].includes(value))
    try {
      return encodeURIComponent(value);
    } catch {
      // Half of a character.
    }
  throw new ConfigurationError(`An id cannot be ${JSON.stringify(value)}.`);
}

/** Query parameters: a list repeats its name, and what is undefined is left out. */
export function queryOf(query: object = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]: [string, unknown]) =>
    (Array.isArray(value) ? value : [value])
      .filter((each) => each !== undefined && each !== null)
      .map((each): [string, string] => [name, textOf(name, each)]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
  throw new ConfigurationError(`The parameter ${name} cannot be sent.`);
}

/** @throws ConfigurationError for what JSON cannot hold */
export function jsonOf(body: object): string {
  try {
    const text = JSON.stringify(body) as string | undefined;
    if (text?.startsWith('{')) return text;
  } catch {
    // The text of the error may hold a part of the body.
  }
  throw new ConfigurationError('The body is not an object that JSON can hold.');
}

/** @throws ConfigurationError for a key that no header can hold */
export function idempotencyKeyOf({ idempotencyKey: key }: KeyedCallOptions): string {
  if (key === undefined) return crypto.randomUUID();
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new ConfigurationError('idempotencyKey must be 1 to 255 visible ASCII characters.');
}
