import { z } from 'zod';
import { SCOPES } from '../../../../domain/api/scopes.js';
import { json, routeDocs } from '../http/route-docs.js';
import { environment, timestamp } from '../openapi/models/values.model.js';

const token = z.object({
  access_token: z.string(),
  token_type: z.literal('bearer'),
  expires_in: z.int().describe('Seconds.'),
});

/** Source: native-api 3.1. */
export const tokenDocs = routeDocs('Tokens', {
  issueToken: {
    id: 'tokens.create',
    summary: 'Exchange a key pair for an access token',
    response: json(token),
    errors: ['api_error.auth.unauthorized', 'api_error.rate_limit_exceeded'],
    // native-api 3.1: errors other than a wrong key pair are 400.
    errorStatuses: { 'api_error.auth.unauthorized': [400, 401] },
  },
  issueOAuthToken: {
    id: 'tokens.createByOAuth',
    summary: 'Exchange a key pair for an access token by RFC 6749 section 4.4',
    response: json(token.extend({ scope: z.string() })),
    oauthErrors: true,
  },
  introspect: {
    id: 'tokens.introspect',
    summary: 'Show the client, app and scopes of an access token',
    response: json(
      z.object({
        client_id: z.string(),
        client_name: z.string(),
        scope: z.string().describe(`Space-separated, of: ${SCOPES.join(', ')}.`),
        environment,
        app: z
          .object({
            app_id: z.string(),
            name: z.string(),
            id: z.string(),
            app_name: z.string(),
          })
          .meta({ id: 'TokenApp' }),
        disabled_at: timestamp.nullable(),
      }),
    ),
  },
});
