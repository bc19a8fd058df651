import { z } from 'zod';
import { json, routeDocs } from '../http/route-docs.js';

const publishedKey = z
  .looseObject({ kty: z.string(), kid: z.string().optional() })
  .meta({ id: 'ProviderPublicKey', description: 'A JWK (RFC 7517) without private members.' });

export const providerKeysDocs = routeDocs('Operator', {
  show: {
    id: 'providers.listKeys',
    summary: 'List the public client keys of a configuration, for its source',
    response: json(z.object({ keys: z.array(publishedKey) })),
    errors: ['api_error.request.not_found'],
  },
});
