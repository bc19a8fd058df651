import type { WebhookPublicKey } from '../../../../../clients/node/src/generated/types.js';

export type StepName =
  | 'header'
  | 'algorithm'
  | 'key'
  | 'signature'
  | 'issuer'
  | 'tenant'
  | 'age'
  | 'body'
  | 'idempotency';

/** A step of a receiver; null = it was not reached, or cannot be judged here. */
export interface Step {
  name: StepName;
  ok: boolean | null;
  detail: string | null;
}

export interface VerifiedRequest {
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Tokens are shown as null, so the digest of this body is not the signed one. */
  hidesTokens: boolean;
}

export interface Expected {
  keys: readonly WebhookPublicKey[];
  issuer: string;
  appId: string;
  environment: string;
  now: Date;
}

const NAMES: readonly StepName[] = [
  'header',
  'algorithm',
  'key',
  'signature',
  'issuer',
  'tenant',
  'age',
  'body',
  'idempotency',
];
const MAX_AGE_SECONDS = 300;
const MAX_AHEAD_SECONDS = 60;

/** The steps of a receiver, in the order of docs/webhooks.md, up to the first that fails. */
export async function verifyRequest(
  request: VerifiedRequest,
  expected: Expected,
  subtle: SubtleCrypto,
): Promise<Step[]> {
  const steps: Step[] = [];
  for await (const step of run(request, expected, subtle)) {
    steps.push(step);
    if (step.ok === false) break;
  }
  return [...steps, ...NAMES.slice(steps.length).map((name) => ({ name, ok: null, detail: null }))];
}

async function* run(
  { headers, body, hidesTokens }: VerifiedRequest,
  { keys, issuer, appId, environment, now }: Expected,
  subtle: SubtleCrypto,
): AsyncGenerator<Step> {
  // Its prefix is a setting of the service.
  const named = Object.entries(headers).filter(([name]) => /-signature$/i.test(name));
  const token = named.length === 1 ? named[0]?.[1] : undefined;
  yield { name: 'header', ok: token !== undefined, detail: named[0]?.[0] ?? null };
  const parts = (token ?? '').split('.');
  const head = readPart(parts[0]);
  const isJwt = parts.length === 3 && head?.alg === 'ES256' && typeof head.kid === 'string';
  yield { name: 'algorithm', ok: isJwt, detail: head === null ? null : String(head.alg) };
  const key = keys.find(({ kid, use }) => kid === head?.kid && use === 'sig');
  yield { name: 'key', ok: key !== undefined, detail: String(head?.kid) };
  if (key === undefined) return;
  yield { name: 'signature', ok: await isSigned(parts, key, subtle), detail: null };
  const claims = readPart(parts[1]) ?? {};
  yield { name: 'issuer', ok: claims.iss === issuer, detail: textOf(claims.iss) };
  yield {
    name: 'tenant',
    ok: claims.app_id === appId && claims.environment === environment,
    detail: `${textOf(claims.app_id)}, ${textOf(claims.environment)}`,
  };
  const age = now.getTime() / 1_000 - Number(claims.iat);
  yield {
    name: 'age',
    ok: age <= MAX_AGE_SECONDS && age >= -MAX_AHEAD_SECONDS,
    detail: Number.isFinite(age) ? `${Math.max(0, Math.round(age))} s` : null,
  };
  const digest = await sha256(body, subtle);
  yield {
    name: 'body',
    ok: hidesTokens ? null : claims.request_body_sha256 === digest,
    detail: textOf(claims.request_body_sha256),
  };
  yield { name: 'idempotency', ok: keyOf(body) === claims.jti, detail: textOf(claims.jti) };
}

async function isSigned(
  [head = '', claims = '', signature = '']: readonly string[],
  { kty, crv, x, y }: WebhookPublicKey,
  subtle: SubtleCrypto,
): Promise<boolean> {
  try {
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
    const key = await subtle.importKey('jwk', { kty, crv, x, y }, algorithm, false, ['verify']);
    return await subtle.verify(
      { name: 'ECDSA', hash: 'SHA-256' },
      key,
      decode(signature),
      new TextEncoder().encode(`${head}.${claims}`),
    );
  } catch {
    return false;
  }
}

async function sha256(text: string, subtle: SubtleCrypto): Promise<string> {
  const digest = await subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A body in the format of Plaid has no such key: there the id of the JWT is one of its own. */
function keyOf(body: string): unknown {
  return readJson(body)?.webhook_idempotency_key;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

function readPart(part: string | undefined): Record<string, unknown> | null {
  try {
    return readJson(new TextDecoder().decode(decode(part ?? '')));
  } catch {
    return null;
  }
}

function readJson(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function decode(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
