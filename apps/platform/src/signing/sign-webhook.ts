import { createHash, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';

export interface WebhookToSign {
  /** The exact bytes that are sent. */
  body: Uint8Array;
  /** `webhook_idempotency_key` of the body. */
  idempotencyKey: string;
  /** Real time of this attempt. */
  at: Date;
}

export interface WebhookSigner {
  kid: string;
  privateKey: KeyObject;
}

/** The JWT of one attempt. Source: webhooks 4. `issuer` is the base address without trailing slash. */
export async function signWebhook({ body, idempotencyKey, at }: WebhookToSign, { kid, privateKey }: WebhookSigner, issuer: string): Promise<string> {
  return new SignJWT({
    iss: issuer,
    iat: Math.floor(at.getTime() / 1000),
    jti: idempotencyKey,
    request_body_sha256: createHash('sha256').update(body).digest('hex'),
  })
    .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' })
    .sign(privateKey);
}
