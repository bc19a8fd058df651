import { z } from 'zod';
import { json, routeDocs } from '../http/route-docs.js';
import { simplefinToken } from '../openapi/models/simplefin.model.js';

/** Source: native-api 3.11. */
export const simplefinTokensDocs = routeDocs('Users', {
  create: {
    id: 'users.createSimplefinToken',
    summary: 'Create a SimpleFIN setup token for a user',
    description:
      'A finance app claims the `setup_token` once, within 24 hours, and then reads the accounts of this user that are linked in the environment of the key pair. Show it to the user at once: it is stored only as a hash.',
    response: json(
      simplefinToken
        .extend({
          setup_token: z.string().describe('For the finance app. Returned only here.'),
        })
        .meta({ id: 'CreatedSimplefinToken' }),
    ),
  },
  list: {
    id: 'users.listSimplefinTokens',
    summary: 'List the SimpleFIN tokens of a user, oldest first',
    description:
      'Their names, states and last use, without their secrets. An unknown user returns an empty list.',
    response: json(
      z.object({
        tokens: z.array(simplefinToken).describe('The tokens of the user, oldest first.'),
      }),
    ),
  },
  revoke: {
    id: 'users.revokeSimplefinToken',
    summary: 'Revoke a SimpleFIN token and the access it was claimed for',
    description:
      'The next call of the finance app is refused. A token that was not claimed yet can no longer be claimed.',
    response: { kind: 'nothing' },
    errors: ['simplefin_error.not_found'],
  },
});
