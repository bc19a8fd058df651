import { clientId, clientSecret } from '../../../support/services/api-in-process.js';
import {
  invalid,
  unauthorized,
  invalidGrant,
  unsupportedMediaType,
  tooLarge,
  type Refusal,
} from './refusal.js';

/** A key pair of the Sandbox. */
export const form = {
  client_id: clientId('pocket-ledger', 'sandbox'),
  client_secret: clientSecret('pocket-ledger', 'sandbox'),
};
export const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

export const ofTokens: Refusal[] = [
  ['missing credentials', 'POST /auth/token', unauthorized, { form: {} }],
  ['a secret without an id', 'POST /auth/token', unauthorized, { form: { client_secret: 'x' } }],
  [
    'an unknown client',
    'POST /auth/token',
    unauthorized,
    { form: { ...form, client_id: 'sandbox_nobody' } },
  ],
  [
    'a wrong secret',
    'POST /auth/token',
    unauthorized,
    { form: { ...form, client_secret: 'wrong' } },
  ],
  [
    'the secret of the other environment',
    'POST /auth/token',
    unauthorized,
    { form: { ...form, client_secret: clientSecret('pocket-ledger', 'live') } },
  ],
  [
    'a wrong secret in Basic',
    'POST /auth/token',
    unauthorized,
    { form: {}, headers: basic(form.client_id, 'wrong') },
  ],
  [
    'an invalid Basic header',
    'POST /auth/token',
    unauthorized,
    { form: {}, headers: { authorization: 'Basic ???' } },
  ],
  [
    'Basic and form of different clients',
    'POST /auth/token',
    invalidGrant,
    { form: { client_id: 'live_x' }, headers: basic(form.client_id, form.client_secret) },
  ],
  [
    'a refresh token grant',
    'POST /auth/token',
    invalidGrant,
    { form: { ...form, grant_type: 'refresh_token' } },
  ],
  [
    'an unknown scope',
    'POST /auth/token',
    invalidGrant,
    { form: { ...form, scope: 'links:read money:move' } },
  ],
  ['JSON', 'POST /auth/token', unsupportedMediaType, { json: form }],
  [
    'a field given twice',
    'POST /auth/token',
    invalid('body.client_id'),
    {
      raw: 'client_id=a&client_id=b&client_secret=c',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
  ],
  [
    'U+0000 in a field',
    'POST /auth/token',
    invalid('body.client_id'),
    { form: { client_id: '\u0000', client_secret: 'x' } },
  ],
  [
    'a body beyond the limit',
    'POST /auth/token',
    tooLarge,
    { form: { client_id: 'x'.repeat(257 * 1024) } },
  ],
  ['introspection without a token', 'GET /auth/introspect', unauthorized, { token: null }],
  [
    'introspection with an unknown token',
    'GET /auth/introspect',
    unauthorized,
    { token: 'unknown' },
  ],
  [
    'introspection with Basic',
    'GET /auth/introspect',
    unauthorized,
    { token: null, headers: basic(form.client_id, form.client_secret) },
  ],
];
