import { z } from 'zod';
import { SCOPES } from '../../../../domain/api/scopes.js';
import { json, routeDocs } from '../http/route-docs.js';
import { environment, timestamp } from '../openapi/models/values.model.js';

const token = z.object({
  access_token: z.string().describe('The token. Opaque; send it as `Authorization: Bearer`.'),
  token_type: z.literal('bearer').describe('Always `bearer`.'),
  expires_in: z.int().describe('Seconds.'),
});

/** Source: native-api 3.1. */
export const tokenDocs = routeDocs('Tokens', {
  issueToken: {
    id: 'tokens.create',
    summary: 'Exchange a key pair for an access token',
    description:
      'Send the key pair of your app in the form, or as HTTP Basic. The token authorizes all other calls and inherits the environment of the pair. It expires after `expires_in` seconds; then exchange the pair again: there is no refresh token.\n\nWithout `scope`, the token may do everything the app may do. Ask for fewer scopes where a part of your back end needs fewer.',
    response: json(token),
    errors: ['api_error.auth.unauthorized', 'api_error.rate_limit_exceeded'],
    // native-api 3.1: errors other than a wrong key pair are 400.
    errorStatuses: { 'api_error.auth.unauthorized': [400, 401] },
  },
  issueOAuthToken: {
    id: 'tokens.createByOAuth',
    summary: 'Exchange a key pair for an access token by RFC 6749 section 4.4',
    description:
      'The same tokens as `POST /auth/token`, in the form that OAuth client libraries expect: `grant_type` is required, and errors have the members `error` and `error_description`.',
    response: json(
      token.extend({ scope: z.string().describe('The scopes of the token, separated by spaces.') }),
    ),
    oauthErrors: true,
  },
  introspect: {
    id: 'tokens.introspect',
    summary: 'Show the client, app and scopes of an access token',
    description:
      'Any valid token is accepted. Use it to check which app, environment and scopes a token stands for, and the limits of its key pair.',
    response: json(
      z.object({
        client_id: z.string().describe('The id of the key pair.'),
        client_name: z.string().describe('The name of the app.'),
        scope: z.string().describe(`Space-separated, of: ${SCOPES.join(', ')}.`),
        environment: environment.describe('The environment of the key pair.'),
        app: z
          .object({
            app_id: z.string().describe('The id of the app.'),
            name: z.string().describe('The name of the app.'),
            id: z.string().describe('The same as `app_id`.'),
            app_name: z.string().describe('The same as `name`.'),
          })
          .meta({ id: 'TokenApp', description: 'The app of a key pair.' })
          .describe('The app of the key pair.'),
        disabled_at: timestamp
          .nullable()
          .describe('Always null: a disabled key pair has no token that works.'),
        restricted_to: z
          .object({
            user_ids: z
              .array(z.string())
              .nullable()
              .describe(
                'The users that it reaches, by the ids of your app; null if links limit it.',
              ),
            link_ids: z
              .array(z.string())
              .nullable()
              .describe('The links that it reaches; null if users limit it.'),
          })
          .meta({
            id: 'TokenRestriction',
            description: 'The users or the links that a key pair is limited to.',
          })
          .nullable()
          .describe(
            'The users or the links that the key pair is limited to: one of both lists, the other is null. Null if it reaches all of its app.',
          ),
        ends_at: timestamp.nullable().describe('The end of the key pair. Null if it has none.'),
      }),
    ),
  },
});
