import type { ClientSettings } from '../client-options.js';
import { ConfigurationError, WebhookVerificationError } from '../errors.js';
import type { WebhookPublicKey } from '../generated/types.js';
import type { KeySet } from './key-set.js';
import type { ReceivedEvent } from '../generated/received-event.js';
import { readJwt, type Jwt } from './signature-jwt.js';

/** The body as it arrived: bytes (such as a `Buffer`), or the text of `await request.text()`. */
export type RawBody = Uint8Array | ArrayBuffer | string;

/** Headers of `node:http` and Express, or of a `Request`. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** The time at which the request arrived, if it is verified later. */
  receivedAt?: Date | undefined;
}

const MAX_AGE_SECONDS = 300;
const MAX_AHEAD_SECONDS = 60;

/** The steps of docs/webhooks.md, "Verifying". */
export class WebhookVerifier {
  readonly #settings: ClientSettings;
  readonly #keys: KeySet;

  constructor(settings: ClientSettings, keys: KeySet) {
    this.#settings = settings;
    this.#keys = keys;
  }

  async verify(
    rawBody: RawBody,
    headers: WebhookHeaders,
    { receivedAt = new Date() }: VerifyOptions = {},
  ): Promise<ReceivedEvent> {
    const body = bytesOf(rawBody);
    const now = secondsOf(receivedAt);
    const jwt = readJwt(this.#signatureIn(headers));
    const key = await this.#keys.find(jwt.kid);
    if (key === undefined) refuse('unknown_key', 'The service has no key with this id.');
    if (!(await isSignedWith(key, jwt)))
      refuse('wrong_signature', 'The signature does not match its key.');
    const claims = jwt.readClaims();
    this.#checkRecipient(claims);
    checkAge(claims['iat'], now);
    if (!isEqual(String(claims['request_body_sha256']), await sha256(body)))
      refuse('wrong_body', 'The body is not the one that was signed: verify the raw bytes.');
    const event = parseEvent(body);
    if (event.webhook_idempotency_key !== claims['jti'])
      refuse('wrong_event', 'The signature belongs to another event.');
    return event;
  }

  #signatureIn(headers: WebhookHeaders): string {
    const name = `${this.#settings.headerPrefix}-signature`;
    const values = [valuesOf(headers, name)].flat();
    const [first] = values;
    if (first === undefined || first === '')
      refuse('no_signature', `The header ${name} is missing.`);
    if (values.length > 1)
      refuse('malformed_signature', `The header ${name} occurs more than once.`);
    return first;
  }

  #checkRecipient({ iss, app_id: appId, environment }: Record<string, unknown>): void {
    const expected = this.#settings;
    if (iss !== expected.baseUrl)
      refuse('wrong_issuer', `The event belongs to another service than ${expected.baseUrl}.`);
    if (expected.appId !== undefined && appId !== expected.appId)
      refuse('wrong_app', 'The event belongs to another app.');
    if (expected.environment !== undefined && environment !== expected.environment)
      refuse('wrong_environment', 'The event belongs to another environment.');
  }
}

function refuse(code: WebhookVerificationError['code'], message: string): never {
  throw new WebhookVerificationError(code, message);
}

function bytesOf(rawBody: RawBody): Uint8Array<ArrayBuffer> {
  if (typeof rawBody === 'string') return new Uint8Array(new TextEncoder().encode(rawBody));
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody);
  if (ArrayBuffer.isView(rawBody)) return new Uint8Array(rawBody);
  throw new ConfigurationError(
    'The body was parsed before it was verified: pass its raw bytes, and mount the handler before any body parser.',
  );
}

/** With a time that is none, no age would be too old. */
function secondsOf(receivedAt: Date): number {
  const ms = receivedAt instanceof Date ? receivedAt.getTime() : Number.NaN;
  if (Number.isNaN(ms)) throw new ConfigurationError('receivedAt must be a valid Date.');
  return ms / 1_000;
}

/** Names of headers are case-insensitive; `node:http` has them in lower case. */
function valuesOf(headers: WebhookHeaders, name: string): string | readonly string[] | undefined {
  if (typeof headers !== 'object' || headers === null)
    throw new ConfigurationError('headers must be those of the request.');
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const entries = Object.entries(headers as Record<string, string | readonly string[] | undefined>);
  return entries.find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];
}

async function isSignedWith({ kty, crv, x, y }: WebhookPublicKey, jwt: Jwt): Promise<boolean> {
  const key = await crypto.subtle
    .importKey('jwk', { kty, crv, x, y }, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['verify'])
    .catch(() => refuse('unknown_key', 'The key with this id is not one of ES256.'));
  return crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, jwt.signature, jwt.signed);
}

function checkAge(iat: unknown, now: number): void {
  if (typeof iat !== 'number' || !(now - iat <= MAX_AGE_SECONDS))
    refuse(
      'too_old',
      'The signature is more than five minutes old: a repeated request, or a wrong clock.',
    );
  if (iat - now > MAX_AHEAD_SECONDS)
    refuse('too_new', 'The signature is more than a minute ahead: is the clock right?');
}

async function sha256(body: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** In constant time for texts of one length. */
function isEqual(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let index = 0; index < one.length; index += 1)
    difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
}

function parseEvent(body: Uint8Array): ReceivedEvent {
  try {
    const event = JSON.parse(new TextDecoder().decode(body)) as ReceivedEvent | null;
    if (typeof event === 'object' && event !== null) return event;
  } catch {
    // Refused below.
  }
  return refuse('malformed_body', 'The body is not an event.');
}
