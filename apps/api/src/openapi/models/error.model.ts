import { z } from 'zod';
import { API_ERRORS, type ApiErrorCode } from '../../../../../domain/errors/api-errors.js';
import { LINK_ERRORS, LINK_STATES } from '../../../../../domain/link/link-state.js';
import { view } from './connect.model.js';

const codes = Object.keys(API_ERRORS) as [ApiErrorCode, ...ApiErrorCode[]];

/** Source: native-api 5.1. */
export const errorBody = z
  .object({
    error_code: z.enum(codes).meta({ id: 'ErrorCode' }),
    error_message: z.string().describe('For developers; branch on the code.'),
    documentation_url: z.string().nullable(),
    link_error_code: z
      .enum([...LINK_ERRORS, ...LINK_STATES])
      .optional()
      .describe('Only in `link_error.bad_state`.'),
    validation_errors: z
      .array(
        z.object({
          location: z.array(z.union([z.string(), z.int()])),
          message: z.string(),
          type: z.string(),
        }),
      )
      .optional()
      .describe('Every invalid field.'),
    view: view.optional().describe('The current view; only in 409 responses of Connect.'),
  })
  .meta({ id: 'Error' });

/** Source: RFC 6749 5.2. */
export const oauthError = z
  .object({
    error: z.enum([
      'invalid_request',
      'invalid_client',
      'unsupported_grant_type',
      'invalid_scope',
      'temporarily_unavailable',
      'server_error',
    ]),
    error_description: z.string(),
  })
  .meta({ id: 'OAuthError' });
