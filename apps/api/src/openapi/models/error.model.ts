import { z } from 'zod';
import { API_ERRORS, type ApiErrorCode } from '../../../../../domain/errors/api-errors.js';
import { LINK_ERRORS, LINK_STATES } from '../../../../../domain/link/link-state.js';
import { view } from './connect.model.js';

const codes = Object.keys(API_ERRORS) as [ApiErrorCode, ...ApiErrorCode[]];
/** A schema for each type: some generators of clients support no other unions. */
const PART = { anyOf: [{ type: 'string' }, { type: 'integer', format: 'int32' }] };
const fields = {
  error_code: z.enum(codes).meta({
    id: 'ErrorCode',
    description: 'The cause of an error. Each call lists the codes that it may return.',
  }),
  error_message: z.string().describe('For developers; branch on the code.'),
  documentation_url: z
    .string()
    .nullable()
    .describe('The entry of the error in the API reference; null if a proxy responded.'),
  validation_errors: z
    .array(
      z
        .object({
          location: z
            .array(z.union([z.string(), z.int()]).meta({ openapi: PART }))
            .describe('The path of the field: names, and positions in arrays.'),
          message: z.string().describe('The mistake in words, for developers.'),
          type: z.string().describe('The kind of the mistake, such as `missing` or `invalid`.'),
        })
        .meta({ id: 'ValidationIssue', description: 'One mistake of a request.' }),
    )
    .optional()
    .describe('Every invalid field, in `api_error.request.validation_failed`.'),
};

/** Source: native-api 5.1. */
export const apiError = z
  .object({
    ...fields,
    link_error_code: z
      .enum([...LINK_ERRORS, ...LINK_STATES])
      .meta({ id: 'BadStateReason', description: 'The error or state that forbids the call.' })
      .optional()
      .describe(
        'Only in `link_error.bad_state`: the error of the link if its state is `error`, else its state.',
      ),
  })
  .meta({ id: 'ApiError', description: 'The body of every error, except those of Connect calls.' });

/** Source: connect 6. */
export const connectError = z
  .object({
    ...fields,
    view: view.optional().describe('The current view, in responses with the status 409.'),
  })
  .meta({ id: 'ConnectError', description: 'The body of every error of a Connect call.' });

/** Source: RFC 6749 5.2. */
export const oauthError = z
  .object({
    error: z
      .enum([
        'invalid_request',
        'invalid_client',
        'unsupported_grant_type',
        'invalid_scope',
        'temporarily_unavailable',
        'server_error',
      ])
      .meta({
        id: 'OAuthErrorCode',
        description: 'The causes of RFC 6749, and those of a busy or failing service.',
      })
      .describe('The cause, for programs.'),
    error_description: z.string().describe('The cause in words, for developers.'),
  })
  .meta({ id: 'OAuthError', description: 'An error as RFC 6749 section 5.2 defines it.' });
