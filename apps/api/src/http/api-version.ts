import { ApiError } from '../../../../domain/api-errors.js';

/** The registry of versions; a later one would list the changes it applies to answers. Source: native-api 6. */
const VERSIONS: readonly string[] = ['2023-02-18'];
const DEFAULT_VERSION = '2023-02-18';

/** The version a request is answered in. @throws ApiError for an unknown or malformed one */
export function versionOf(header: string | string[] | undefined): string {
  if (header === undefined) return DEFAULT_VERSION;
  if (typeof header !== 'string' || !VERSIONS.includes(header)) throw new ApiError('api_error.request.unsupported_version');
  return header;
}
