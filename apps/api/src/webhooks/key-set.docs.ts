import { z } from 'zod';
import { json, routeDocs } from '../http/route-docs.js';

const publicKey = z
  .object({
    kty: z.literal('EC').describe('Always `EC`.'),
    crv: z.literal('P-256').describe('Always `P-256`.'),
    x: z.string().describe('The x coordinate, as base64url.'),
    y: z.string().describe('The y coordinate, as base64url.'),
    kid: z.string().describe('The id that headers of signatures name.'),
    use: z.literal('sig').describe('Always `sig`.'),
    alg: z.literal('ES256').describe('Always `ES256`.'),
  })
  .meta({ id: 'WebhookPublicKey', description: 'A public key, as RFC 7517 defines it.' });

/** Source: native-api 3.2. */
export const keySetDocs = routeDocs('Webhooks', {
  show: {
    id: 'webhooks.listKeys',
    summary: 'List the public keys that verify webhooks',
    description:
      'A JSON Web Key Set (RFC 7517). Verify the signature of each webhook with the key whose `kid` its header names. Keys rotate: cache the set for at most five minutes, and fetch it again for an unknown `kid`.',
    response: json(z.object({ keys: z.array(publicKey).describe('The current keys.') })),
  },
});
