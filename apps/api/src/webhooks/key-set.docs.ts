import { z } from 'zod';
import { json, routeDocs } from '../http/route-docs.js';

const publicKey = z
  .object({
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    x: z.string(),
    y: z.string(),
    kid: z.string(),
    use: z.literal('sig'),
    alg: z.literal('ES256'),
  })
  .meta({ id: 'WebhookPublicKey' });

/** Source: native-api 3.2. */
export const keySetDocs = routeDocs('Webhooks', {
  show: {
    id: 'webhooks.listKeys',
    summary: 'List the public keys that verify webhooks',
    description:
      'A JSON Web Key Set (RFC 7517). Verify the signature of each webhook with the key whose `kid` its header names. Keys rotate: cache the set for at most five minutes, and fetch it again for an unknown `kid`.',
    response: json(z.object({ keys: z.array(publicKey) })),
  },
});
