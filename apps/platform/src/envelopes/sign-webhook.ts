import { hash, sign, type KeyObject } from 'node:crypto';
import type { Environment } from '../../../../domain/api/environment.js';

/** The exact bytes that are sent, or their SHA-256 as hexadecimal digits. */
export type SignedBytes = Uint8Array | { sha256: string };

export interface WebhookToSign {
  body: SignedBytes;
  /** `webhook_idempotency_key` of the body. */
  idempotencyKey: string;
  /** App and environment of the event, so that a receiver of several apps or of both environments cannot confuse them. */
  appId: string;
  environment: Environment;
  /** Real time of this attempt. */
  at: Date;
}

export interface WebhookSigner {
  kid: string;
  privateKey: KeyObject;
}

/**
 * The JWT of one attempt. Source: webhooks 4. `issuer` is the base address without trailing slash.
 *
 * Built by hand in one fixed form: a JWT library needed twice the processor time, and signing is a third of the cost of
 * an attempt. Tests verify it with jose and against the vector of the contract. See docs/decisions/0012-how-webhooks-are-sent.md.
 */
export function signWebhook(webhook: WebhookToSign, signer: WebhookSigner, issuer: string): string {
  const { body, idempotencyKey, appId, environment, at } = webhook;
  return sealed(
    {
      iss: issuer,
      iat: secondsOf(at),
      jti: idempotencyKey,
      app_id: appId,
      environment,
      request_body_sha256: hashOf(body),
    },
    signer,
  );
}

/** The JWT of `Plaid-Verification`. Source: plaid-compat 8.2. */
export function signPlaidWebhook(
  { body, at }: Pick<WebhookToSign, 'body' | 'at'>,
  signer: WebhookSigner,
): string {
  return sealed({ iat: secondsOf(at), request_body_sha256: hashOf(body) }, signer);
}

function sealed(claims: object, { kid, privateKey }: WebhookSigner): string {
  const signed = `${base64url(JSON.stringify({ alg: 'ES256', kid, typ: 'JWT' }))}.${base64url(JSON.stringify(claims))}`;
  // RFC 7518 3.4: the two numbers side by side, not DER.
  const signature = sign('sha256', Buffer.from(signed, 'ascii'), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
  });
  return `${signed}.${signature.toString('base64url')}`;
}

function secondsOf(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}

function hashOf(body: SignedBytes): string {
  return body instanceof Uint8Array ? hash('sha256', body, 'hex') : body.sha256;
}

function base64url(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64url');
}
