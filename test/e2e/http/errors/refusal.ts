import type { ApiRequest } from '../../../support/services/api-client.js';

/** The response to a request that cannot be served. */
export interface Response {
  status: number;
  code: string;
  locations?: string[];
}

/** A request, as `METHOD /path`, and its refusal. A `{state}` in the path is a link in that state. */
export type Refusal = [title: string, call: string, response: Response, request?: ApiRequest];

export const invalid = (...locations: string[]): Response => ({
  status: 422,
  code: 'api_error.request.validation_failed',
  locations,
});

export const unauthorized: Response = { status: 401, code: 'api_error.auth.unauthorized' };
export const invalidGrant: Response = { status: 400, code: 'api_error.auth.unauthorized' };
export const unknownAddress: Response = { status: 404, code: 'api_error.request.not_found' };
export const wrongMethod: Response = { status: 405, code: 'api_error.request.method_not_allowed' };
export const unsupportedVersion: Response = {
  status: 400,
  code: 'api_error.request.unsupported_version',
};
export const unsupportedMediaType: Response = {
  status: 415,
  code: 'api_error.request.unsupported_media_type',
};
export const tooLarge: Response = { status: 413, code: 'api_error.request.too_large' };
export const unknownInstitution: Response = { status: 404, code: 'institution_error.not_found' };
export const unknownLink: Response = { status: 404, code: 'link_error.not_found' };
export const foreignLink: Response = { status: 401, code: 'link_error.unauthorized_access' };
export const deletedLink: Response = { status: 410, code: 'link_error.deleted' };
export const badState: Response = { status: 422, code: 'link_error.bad_state' };
export const notGranted: Response = { status: 403, code: 'link_error.forbidden_action' };
