import type { z } from 'zod';
import { ApiError, type ApiErrorCode } from '../../../../domain/errors/api-errors.js';
import type { oauthError } from './models/error.model.js';

/** Details of the errors that have more fields than all have. */
const DETAILS: Partial<Record<ApiErrorCode, ApiError['details']>> = {
  'link_error.bad_state': { linkErrorCode: 'auth_expired' },
  'api_error.request.validation_failed': {
    issues: [{ location: ['query', 'limit'], message: 'Must be a whole number.', type: 'invalid' }],
  },
};

/** One response of each of these errors, by code: `components.examples` of the document. */
export function errorExamples(
  codes: ReadonlySet<ApiErrorCode>,
  baseUrl: string,
): Record<string, { value: unknown }> {
  return Object.fromEntries(
    [...codes]
      .sort()
      .map((code) => [code, { value: new ApiError(code, DETAILS[code]).body(baseUrl) }]),
  );
}

export function exampleReferences(
  codes: readonly ApiErrorCode[],
): Record<string, { $ref: string }> {
  return Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
}

/** Source: RFC 6749 5.2, with the wording of native-api 3.1. */
export const OAUTH_EXAMPLES: Readonly<Record<number, z.output<typeof oauthError>>> = {
  400: { error: 'invalid_scope', error_description: 'The scope is unknown.' },
  401: { error: 'invalid_client', error_description: 'The client could not be authenticated.' },
  429: { error: 'temporarily_unavailable', error_description: 'Too many requests.' },
  500: { error: 'server_error', error_description: 'Something went wrong on our side.' },
  503: {
    error: 'temporarily_unavailable',
    error_description: 'The service is not available at the moment.',
  },
};
