import { signWebhook } from '../../../../apps/platform/src/envelopes/sign-webhook.js';
import {
  PUBLISHED,
  signer,
  VECTOR_AT,
  VECTOR_ISSUER,
  VECTOR_OWNER,
} from '../../../support/receivers/webhook-forgeries.js';
import { OF_TOMORROW, SAMPLED_EVENTS, SAMPLED_OPERATIONS } from '../support/schema-samples.js';
import type { Behavior } from './behavior.js';

/** Keys of kinds that the service does not have today, around its own. */
const KEYS_OF_TOMORROW = {
  keys: [
    { kty: 'RSA', n: 'AQAB', e: 'AQAB', use: 'sig', alg: 'RS256', kid: 'rsa' },
    { kty: 'OKP', crv: 'Ed25519', x: 'AQAB', use: 'sig', alg: 'EdDSA', kid: signer.kid },
    ...PUBLISHED.keys,
    { kty: 'EC', crv: 'P-256', x: 'AQAB', y: 'AQAB', use: 'enc', alg: 'ECDH-ES', kid: 'enc' },
    { kid: 'nothing else' },
  ],
};

const signatureOf = (body: Buffer, idempotencyKey: string) =>
  signWebhook({ body, idempotencyKey, ...VECTOR_OWNER, at: VECTOR_AT }, signer, VECTOR_ISSUER);

export const TOMORROW_BEHAVIORS: readonly Behavior[] = [
  [
    'reads a value of tomorrow in every open list of every response',
    async ({ driver, gate, client: make }) => {
      const client = await make();
      const read: string[] = [];
      for (const operation of SAMPLED_OPERATIONS) {
        const { operationId, method, path, values, hasQuery, hasBody, status, body } = operation;
        gate.plan(`${method} ${path}`, {
          respond: status,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        const args = {
          path: values,
          ...(hasBody ? { body: {} } : hasQuery ? { query: {} } : {}),
          read: 'page',
        };
        const { ok, error } = await driver.call(operationId, args, client);
        expect({ operationId, error }).toEqual({ operationId, error: undefined });
        const expected = JSON.stringify(body).split(OF_TOMORROW).length;
        // A page shows its items; other members of the body are read all the same.
        const seen = JSON.stringify(ok).split(OF_TOMORROW).length;
        if ((ok as { items?: unknown }).items === undefined)
          expect({ operationId, seen }).toEqual({ operationId, seen: expected });
        if (seen > 1) read.push(operationId);
      }
      expect(read).toEqual(
        expect.arrayContaining([
          'accounts.list',
          'links.list',
          'transactions.sync',
          'users.export',
        ]),
      );
    },
  ],
  [
    'verifies webhooks of every kind with a value of tomorrow in every open list, and further members',
    async ({ driver }) => {
      await driver.result('new', { base_url: VECTOR_ISSUER, key_set: PUBLISHED }, 'tomorrow');
      for (const sample of SAMPLED_EVENTS) {
        const event = {
          ...sample,
          webhook_minor_version: 1,
          webhook_idempotency_key: 'key-of-tomorrow',
          a_member_of_tomorrow: [true],
        };
        const body = Buffer.from(JSON.stringify(event));
        const verified = await driver.result<{ kind: string; event: object }>(
          'webhooks.verifyKind',
          {
            body_base64: body.toString('base64'),
            headers: { 'service-signature': signatureOf(body, 'key-of-tomorrow') },
            received_at: VECTOR_AT.toISOString(),
          },
          'tomorrow',
        );
        expect(verified).toEqual({ kind: 'known', event });
      }
    },
  ],
  [
    'skips keys of other kinds in the key set',
    async ({ driver }) => {
      const options = { base_url: VECTOR_ISSUER, key_set: KEYS_OF_TOMORROW };
      await driver.result('new', options, 'keys of tomorrow');
      const body = Buffer.from('{"webhook_event":"try","webhook_idempotency_key":"k"}');
      const verify = (signature: string) =>
        driver.call(
          'webhooks.verify',
          {
            body_base64: body.toString('base64'),
            headers: { 'service-signature': signature },
            received_at: VECTOR_AT.toISOString(),
          },
          'keys of tomorrow',
        );
      expect((await verify(signatureOf(body, 'k'))).ok).toMatchObject({ webhook_event: 'try' });
      const [, ...rest] = signatureOf(body, 'k').split('.');
      for (const kid of ['rsa', 'enc', 'nothing else']) {
        const header = Buffer.from(JSON.stringify({ alg: 'ES256', kid })).toString('base64url');
        expect((await verify([header, ...rest].join('.'))).error).toMatchObject({
          family: 'WebhookVerificationError',
          code: 'unknown_key',
        });
      }
    },
  ],
];
