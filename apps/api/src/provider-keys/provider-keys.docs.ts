import { z } from 'zod';
import { json, routeDocs } from '../http/route-docs.js';

const publishedKey = z
  .looseObject({
    kty: z.string().describe('The type of the key.'),
    kid: z.string().optional().describe('The id of the key.'),
  })
  .meta({ id: 'ProviderPublicKey', description: 'A JWK (RFC 7517) without private members.' });

export const providerKeysDocs = routeDocs('Operator', {
  show: {
    id: 'providers.listKeys',
    summary: 'List the public client keys of a configuration, for its source',
    description:
      'For the data source that verifies the client of this configuration. A configuration without keys returns 404, like an unknown one.',
    response: json(z.object({ keys: z.array(publishedKey).describe('The public keys.') }), {
      example: {
        keys: [
          { kty: 'EC', crv: 'P-256', x: 'Nc8…', y: 'hQ2…', kid: 'k1', use: 'sig', alg: 'ES256' },
        ],
      },
    }),
    errors: ['api_error.request.not_found'],
  },
});
